/** The `markdown` block: the part of ordinary Markdown that Slack renders. */

import { el } from "./dom.js";
import { link, linkify } from "./links.js";

/** @param {string} text @returns {HTMLElement} */
export function markdown(text) {
  const box = el("div", { class: "markdown" });
  const lines = String(text ?? "").split("\n");
  let at = 0;
  while (at < lines.length) {
    const [node, next] = piece(lines, at);
    if (node) box.append(node);
    at = next;
  }
  return box;
}

const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d+[.)]\s+(.*)$/;
const QUOTE = /^>\s?(.*)$/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const FENCE = /^```/;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})\s*$/;
const ROW = /^\s*\|(.+)\|\s*$/;

function piece(lines, at) {
  const line = lines[at];
  if (line.trim() === "") return [null, at + 1];
  if (FENCE.test(line)) return fenced(lines, at);
  if (RULE.test(line)) return [el("hr"), at + 1];
  const heading = HEADING.exec(line);
  if (heading) return [el("p", { class: `md-h md-h${heading[1].length}` }, inline(heading[2])), at + 1];
  if (ROW.test(line) && /^\s*\|[\s:|-]+\|\s*$/.test(lines[at + 1] ?? "")) return table(lines, at);
  for (const [tag, pattern] of [["ul", BULLET], ["ol", NUMBER]]) {
    if (pattern.test(line)) {
      const [found, next] = run(lines, at, pattern);
      return [el(tag, {}, found.map((item) => el("li", {}, inline(item)))), next];
    }
  }
  if (QUOTE.test(line)) {
    const [found, next] = run(lines, at, QUOTE);
    return [el("blockquote", {}, broken(found)), next];
  }
  let next = at + 1;
  while (next < lines.length && lines[next].trim() !== "" && !startsPiece(lines[next])) next += 1;
  return [el("p", {}, broken(lines.slice(at, next))), next];
}

function startsPiece(line) {
  return [BULLET, NUMBER, QUOTE, HEADING, FENCE, RULE, ROW].some((pattern) => pattern.test(line));
}

function run(lines, at, pattern) {
  const found = [];
  let next = at;
  for (let match; next < lines.length && (match = pattern.exec(lines[next])); next += 1) found.push(match[1]);
  return [found, next];
}

function broken(lines) {
  return lines.flatMap((line, index) => (index ? [el("br"), ...inline(line)] : inline(line)));
}

function fenced(lines, at) {
  let end = at + 1;
  while (end < lines.length && !FENCE.test(lines[end])) end += 1;
  return [el("pre", {}, el("code", { text: lines.slice(at + 1, end).join("\n") })), end + 1];
}

function table(lines, at) {
  const cells = (line) => ROW.exec(line)[1].split("|").map((cell) => cell.trim());
  const head = el("tr", {}, cells(lines[at]).map((cell) => el("th", { scope: "col" }, inline(cell))));
  const rows = [];
  let next = at + 2;
  for (; next < lines.length && ROW.test(lines[next]); next += 1) {
    rows.push(el("tr", {}, cells(lines[next]).map((cell) => el("td", {}, inline(cell)))));
  }
  const node = el("table", {}, el("thead", {}, head), el("tbody", {}, rows));
  return [el("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Table" }, node), next];
}

const SPAN =
  /`([^`]+)`|!?\[([^\]]*)\]\(([^()\s]+(?:\([^()\s]*\))?)\)|\*\*(.+?)\*\*|__(.+?)__|~~(.+?)~~|(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])|(?<![\w_])_([^_\s](?:[^_]*[^_\s])?)_(?![\w_])|\\([\\`*_{}[\]()#+.!~|-])/g;

function inline(text) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(SPAN)) {
    nodes.push(...linkify(text.slice(from, match.index)), span(match));
    from = match.index + match[0].length;
  }
  nodes.push(...linkify(text.slice(from)));
  return nodes;
}

function span([whole, code, label, address, bold, bold2, struck, italic, italic2, escaped]) {
  if (code !== undefined) return el("code", { text: code });
  if (address !== undefined) return link(address, label || address);
  if (bold ?? bold2) return el("strong", {}, inline(bold ?? bold2));
  if (struck !== undefined) return el("s", {}, inline(struck));
  if (italic ?? italic2) return el("em", {}, inline(italic ?? italic2));
  return document.createTextNode(escaped ?? whole);
}
