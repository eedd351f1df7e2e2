/** What is said beside the messages: toasts, and words for screen readers. */

import { el } from "./dom.js";
import { icon } from "./icons.js";

const TOAST_MS = 6000;

export function toast(text, level = "info") {
  const place = document.getElementById("toasts");
  const node = el("div", { class: `toast toast-${level}`, role: level === "error" ? "alert" : "status" }, icon(level === "error" ? "warn" : "info"), el("span", { text }));
  place.append(node);
  window.setTimeout(() => node.remove(), TOAST_MS);
}

/** What is to be said next; words that come at once are said together. */
const waiting = [];
const GATHER_MS = 80;

/** Says something to those who do not see the page. */
export function announce(text) {
  waiting.push(text.slice(0, 400));
  if (waiting.length > 1) return;
  const place = document.getElementById("announcer");
  place.textContent = "";
  window.setTimeout(() => (place.textContent = waiting.splice(0).join(" · ")), GATHER_MS);
}
