/**
 * Slack's mrkdwn, as nodes.
 *
 *   text   ::= ( "```" pre "```" | line )*
 *   line   ::= [ ">" ] span*            a run of quoted lines is one quote
 *   span   ::= "`" code "`" | "*" bold "*" | "_" italic "_" | "~" struck "~"
 *            | "<" address [ "|" label ] ">" | ":" emoji ":" | anything
 *   entity ::= "&amp;" | "&lt;" | "&gt;"   decoded once, in the leaves
 *
 * A mark opens after a break or a sign, before something that is no space; it closes after
 * something that is no space, before a break or a sign; it never crosses a line.
 */

import { el } from "./dom.js";
import { emoji } from "./emoji.js";
import { broadcast, channelMention, link, linkify, safeAddress, userMention } from "./links.js";
import { slackDate } from "./time.js";

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

export function decode(text) {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity]);
}

/**
 * @param {string} text as the bot sent it, escaped
 * @param {object} directory who and what mentions stand for
 * @param {{verbatim?: boolean}} [options] verbatim: bare addresses stay text
 * @returns {DocumentFragment}
 */
export function mrkdwn(text, directory, options = {}) {
  const fragment = document.createDocumentFragment();
  const pieces = String(text ?? "").split(/```\n?([\s\S]+?)```\n?/);
  pieces.forEach((piece, index) => {
    if (index % 2 === 1) fragment.append(el("pre", {}, el("code", {}, ...preformatted(piece))));
    else if (piece !== "") fragment.append(...lines(piece, directory, options));
  });
  return fragment;
}

/** Text whose only marks are entities and emoji (`plain_text`). */
export function plain(object) {
  const text = String(object?.text ?? "");
  return object?.emoji === false ? text : named(text);
}

function named(text) {
  return text.replace(/:([a-z0-9_+-]+(?:::skin-tone-\d)?):/g, (whole, name) => emoji(name) ?? whole);
}

function preformatted(text) {
  const nodes = [];
  for (const piece of text.split(/(<[^<>\n]+>)/)) {
    const inner = /^<([^|>]+)(?:\|([^>]*))?>$/.exec(piece);
    if (inner && safeAddress(decode(inner[1]))) {
      nodes.push(link(decode(inner[1]), decode(inner[2] || inner[1])));
    } else {
      nodes.push(decode(piece));
    }
  }
  return nodes;
}

function lines(text, directory, options) {
  const nodes = [];
  let quote = null;
  let first = true;
  for (const line of text.split("\n")) {
    const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line);
    if (quoted) {
      if (quote) quote.append(el("br"));
      else {
        quote = el("blockquote");
        nodes.push(quote);
      }
      quote.append(...spans(quoted[1], directory, options));
      first = true;
      continue;
    }
    quote = null;
    if (!first) nodes.push(el("br"));
    const inner = spans(line, directory, options);
    nodes.push(...(hangs(line) ? [el("span", { class: "hang" }, inner)] : inner));
    first = false;
  }
  return nodes;
}

/** Whether a line is an item of a list, or belongs to one: what wraps stands below its words. */
function hangs(line) {
  return /^(?:• | {2,}\S)/.test(line);
}

const MARKS = { "*": "strong", _: "em", "~": "s" };
const WORD = /[\p{L}\p{N}]/u;

function spans(text, directory, options) {
  const nodes = [];
  let leaf = "";
  const flush = () => {
    if (leaf !== "") nodes.push(...leaves(leaf, options));
    leaf = "";
  };
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const special = bracketed(rest, directory) ?? coded(rest) ?? marked(text, at, directory, options);
    if (special) {
      flush();
      nodes.push(special.node);
      at += special.length;
    } else {
      leaf += text[at];
      at += 1;
    }
  }
  flush();
  return nodes;
}

function leaves(text, options) {
  const shown = named(decode(text));
  return options.verbatim ? [shown] : linkify(shown);
}

function coded(rest) {
  const match = /^`([^`\n]+)`/.exec(rest);
  return match && { node: el("code", {}, ...preformatted(match[1])), length: match[0].length };
}

function marked(text, at, directory, options) {
  const mark = text[at];
  if (!Object.hasOwn(MARKS, mark)) return null;
  if (at > 0 && (WORD.test(text[at - 1]) || text[at - 1] === mark)) return null;
  if (/^(?:\s|$)/.test(text.slice(at + 1)) || text[at + 1] === mark) return null;
  for (let end = text.indexOf(mark, at + 2); end !== -1; end = text.indexOf(mark, end + 1)) {
    const after = text[end + 1] ?? " ";
    if (/\s/.test(text[end - 1]) || WORD.test(after) || insideBrackets(text, at, end)) continue;
    const inner = spans(text.slice(at + 1, end), directory, options);
    return { node: el(MARKS[mark], {}, ...inner), length: end + 1 - at };
  }
  return null;
}

/** Whether the mark at `end` stands inside a `<…>` or a code span opened after `from`. */
function insideBrackets(text, from, end) {
  const between = text.slice(from + 1, end);
  const ticks = between.split("`").length - 1;
  const open = between.lastIndexOf("<");
  const inCode = ticks % 2 === 1 && text.indexOf("`", end) !== -1;
  return inCode || (open > between.lastIndexOf(">") && text.indexOf(">", end) !== -1);
}

function bracketed(rest, directory) {
  const match = /^<([^<>\n]+)>/.exec(rest);
  if (!match) return null;
  const bar = match[1].indexOf("|");
  const target = bar === -1 ? match[1] : match[1].slice(0, bar);
  const label = bar === -1 ? "" : named(decode(match[1].slice(bar + 1)));
  const node = pointed(target, label, directory);
  return node && { node, length: match[0].length };
}

function pointed(target, label, directory) {
  const sign = target[0];
  if (sign === "@") return userMention(directory, target.slice(1), label);
  if (sign === "#") return channelMention(directory, target.slice(1), label);
  if (sign === "!") return command(target.slice(1), label, directory);
  const address = decode(target);
  return safeAddress(address) ? link(address, label || address.replace(/^mailto:/, "")) : null;
}

function command(target, label, directory) {
  const [name, ...args] = target.split("^");
  if (["here", "channel", "everyone"].includes(name)) return broadcast(name);
  if (name === "date") {
    const seconds = args[0];
    const shown = slackDate(seconds, decode(args[1] ?? ""), directory.zone) ?? label;
    return args[2] ? link(decode(args[2]), shown) : el("time", { text: shown });
  }
  if (name === "subteam") return el("span", { class: "mention", text: label || `@${args[0] ?? "group"}` });
  return document.createTextNode(label || `<${target}>`);
}
