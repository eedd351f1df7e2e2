/** Addresses, people and channels inside text. */

import { el } from "./dom.js";

/** The address when it is one a message may lead to (web or mail), else `null`. */
export function safeAddress(address) {
  if (typeof address !== "string") return null;
  let parsed;
  try {
    parsed = new URL(address);
  } catch {
    return null;
  }
  return ["http:", "https:", "mailto:"].includes(parsed.protocol) ? parsed.href : null;
}

/** A link, or plain text when the address is not safe to follow. */
export function link(address, label) {
  const safe = safeAddress(address);
  if (!safe) return document.createTextNode(label);
  return el("a", { href: safe, target: "_blank", rel: "noopener noreferrer nofollow", text: label });
}

export function userMention(directory, id, label) {
  const user = directory.user(id);
  const name = user ? user.real_name || user.name : label || id;
  const mine = id === directory.me;
  return el("span", { class: mine ? "mention mention-me" : "mention", text: `@${name}` });
}

export function channelMention(directory, id, label) {
  const channel = directory.channel(id);
  const name = channel ? channel.name : label || "private channel";
  if (!channel) return el("span", { class: "mention", text: `#${name}` });
  return el("button", {
    type: "button",
    class: "mention mention-channel",
    text: `#${name}`,
    on: { click: () => directory.openChannel(id) },
  });
}

export function broadcast(range) {
  return el("span", { class: "mention mention-me", text: `@${range}` });
}

const BARE = /https?:\/\/[^\s<>"“”]+/g;

/** Text with bare web addresses made links, as Slack does. */
export function linkify(text) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(BARE)) {
    const address = match[0].replace(/[.,;:!?)\]}'»*_~]+$/, "");
    if (!safeAddress(address)) continue;
    nodes.push(text.slice(from, match.index), link(address, address));
    from = match.index + address.length;
  }
  nodes.push(text.slice(from));
  return nodes.filter((node) => node !== "");
}
