/** Slack's `rich_text` block: what its own composer writes. */

import { el } from "./dom.js";
import { emoji } from "./emoji.js";
import { broadcast, channelMention, link, userMention } from "./links.js";
import { slackDate } from "./time.js";

export function richText(block, directory) {
  const nodes = [];
  for (const part of block.elements ?? []) nodes.push(paragraph(part, directory));
  return el("div", { class: "rich" }, nodes);
}

function paragraph(part, directory) {
  const spans = () => (part.elements ?? []).map((span) => styled(span, directory));
  switch (part.type) {
    case "rich_text_section":
      return el("div", {}, spans());
    case "rich_text_quote":
      return el("blockquote", {}, spans());
    case "rich_text_preformatted":
      return el("pre", {}, el("code", {}, spans()));
    case "rich_text_list": {
      const items = (part.elements ?? []).map((item) => el("li", {}, paragraph(item, directory)));
      const ordered = part.style === "ordered";
      const start = ordered && part.offset ? Number(part.offset) + 1 : null;
      const indent = Math.min(Number(part.indent ?? 0), 6);
      return el(ordered ? "ol" : "ul", { start, class: `indent-${indent}` }, items);
    }
    default:
      return el("div", {}, spans());
  }
}

const STYLES = { bold: "strong", italic: "em", strike: "s", code: "code", underline: "u" };

function styled(span, directory) {
  let node = leaf(span, directory);
  for (const [style, tag] of Object.entries(STYLES)) {
    if (span.style?.[style]) node = el(tag, {}, node);
  }
  return node;
}

function leaf(span, directory) {
  switch (span.type) {
    case "text":
      return lined(span.text ?? "");
    case "link":
      return link(span.url, span.text || span.url);
    case "user":
      return userMention(directory, span.user_id);
    case "channel":
      return channelMention(directory, span.channel_id);
    case "broadcast":
      return broadcast(span.range);
    case "usergroup":
      return el("span", { class: "mention", text: "@group" });
    case "emoji":
      return document.createTextNode(emoji(span.name) ?? span.unicode_text ?? `:${span.name}:`);
    case "date": {
      const shown = slackDate(span.timestamp, span.format ?? "", directory.zone);
      return el("time", { text: shown ?? span.fallback ?? "" });
    }
    case "color":
      return el("code", { text: span.value });
    default:
      return document.createTextNode(span.text ?? "");
  }
}

function lined(text) {
  const fragment = document.createDocumentFragment();
  text.split("\n").forEach((line, index) => {
    if (index > 0) fragment.append(el("br"));
    fragment.append(line);
  });
  return fragment;
}
