/** The square beside a name. */

import { el } from "./dom.js";

const COLORS = ["#b4457a", "#2f7f6f", "#8a6d1f", "#6b5bb5", "#3f6fb0", "#a9532f"];

function initials(name) {
  const words = String(name).split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "").join("").toUpperCase();
}

/** @param {{id: string, name: string, color?: string, bot?: boolean}} who */
export function avatar({ id, name, color, bot }, size = "") {
  if (bot) return el("img", { class: `avatar ${size}`, src: "/page/bot.svg", alt: "" });
  const node = el("span", { class: `avatar ${size}`, "aria-hidden": "true", text: initials(name) || "?" });
  const fallback = COLORS[[...String(id)].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % COLORS.length];
  const given = String(color ?? "").replace(/^#?/, "#");
  node.style.backgroundColor = /^#[0-9a-f]{6}$/i.test(given) ? given : fallback;
  return node;
}
