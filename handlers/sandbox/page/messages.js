/** Rows of messages: who, when, what, to whom it is visible. */

import { avatar } from "./avatar.js";
import { renderBlocks } from "./blocks.js";
import { el, fill, freshId } from "./dom.js";
import { icon } from "./icons.js";
import { menu } from "./menu.js";
import { mrkdwn } from "./mrkdwn.js";
import { Surface } from "./surface.js";
import { clock, dayKey, dayLabel, longMoment, moment } from "./time.js";
import { key } from "./workspace.js";

/** Messages of one author within this time stand under one name. */
const TOGETHER_MS = 5 * 60 * 1000;

/** A list of messages kept in step with what is known; untouched rows stay the nodes they are. */
export class MessageList {
  /**
   * @param {HTMLElement} list an `ol`
   * @param {{onThread?: (message: object) => void, onShortcut?: (message: object, shortcut: object) => void}} options
   */
  constructor(list, options = {}) {
    this.list = list;
    this.options = options;
    this.rows = new Map();
  }

  /**
   * @param {object} directory
   * @param {string} channel
   * @param {object[]} messages oldest first
   * @param {string|null} [unreadFrom] the ts before which the line “New” stands
   */
  show(directory, channel, messages, unreadFrom = null) {
    const zone = directory.zone;
    const rows = new Map();
    const nodes = [];
    let before = null;
    let day = null;
    for (const message of messages) {
      const date = moment(message.ts);
      const its = dayKey(date, zone);
      const marked = message.ts === unreadFrom;
      if (its !== day) nodes.push(this.divider(rows, `day ${its}`, dayLabel(date, zone), its));
      if (marked) nodes.push(this.divider(rows, "new", "New", null));
      const compact = its === day && !marked && follows(before, message);
      nodes.push(this.row(rows, directory, channel, message, compact));
      day = its;
      before = message;
    }
    this.rows = rows;
    fill(this.list, nodes);
  }

  divider(rows, id, label, date) {
    const known = this.rows.get(id);
    const node = known?.label === label
      ? known.node
      : el(
          "li",
          { class: date ? "divider" : "divider divider-new" },
          el(date ? "time" : "span", { class: "divider-label", datetime: date, text: label }),
        );
    rows.set(id, { node, label });
    return node;
  }

  row(rows, directory, channel, message, compact) {
    const id = `${channel}|${key(message)}`;
    const known = this.rows.get(id);
    if (known && known.message === message && known.compact === compact) {
      rows.set(id, known);
      return known.node;
    }
    const surface = new Surface(directory, { channel, ts: message.ts });
    const node = row(directory, message, surface, compact, this.options);
    if (known) carryOver(known, node, surface);
    rows.set(id, { node, message, compact, surface });
    return node;
  }
}

/** A changed message keeps what was typed into it, and the focus. */
function carryOver(known, node, surface) {
  surface.restore(known.surface.values());
  const action = known.node.contains(document.activeElement) && document.activeElement.dataset.action;
  if (!action) return;
  requestAnimationFrame(() => {
    const same = node.querySelector(`[data-action="${CSS.escape(action)}"]`);
    (same ?? node.querySelector("button, a, select, input") ?? node).focus({ preventScroll: true });
  });
}

function follows(before, message) {
  return Boolean(before) &&
    before.user === message.user &&
    Boolean(before.bot) === Boolean(message.bot) &&
    (before.username ?? "") === (message.username ?? "") &&
    Boolean(before.ephemeral) === Boolean(message.ephemeral) &&
    Boolean(before.command) === Boolean(message.command) &&
    !before.notice && !message.notice && !before.reply_count && !message.blocks?.length &&
    moment(message.ts) - moment(before.ts) < TOGETHER_MS;
}

function author(directory, message) {
  if (message.notice) return { id: "slackbot", name: "Slackbot", color: "4a5568" };
  const user = directory.user(message.user);
  const bot = Boolean(message.bot) || message.user === directory.bot.id;
  const name = message.username || (bot ? directory.bot.name : user?.real_name || user?.name || message.user);
  return { id: message.user, name, color: user?.color, bot };
}

function row(directory, message, surface, compact, options) {
  if (message.command) return typed(directory, message);
  const who = author(directory, message);
  const date = moment(message.ts);
  const kinds = ["message"];
  if (compact) kinds.push("is-compact");
  if (message.ephemeral) kinds.push("is-ephemeral");
  if (message.notice) kinds.push(`is-notice-${message.notice}`);
  const time = el("time", {
    datetime: date.toISOString(),
    title: longMoment(date, directory.zone),
    text: clock(date, directory.zone),
  });
  const head = el(
    "div",
    { class: compact ? "message-head visually-hidden" : "message-head" },
    el("span", { class: "author", text: who.name }),
    who.bot && el("span", { class: "app-badge", text: "App" }),
    compact ? null : time,
  );
  const body = el("div", { class: "message-body" }, content(message, surface, directory));
  const main = el(
    "div",
    { class: "message-main" },
    head,
    body,
    ...(message.files ?? []).map((file) => fileRow(file, directory)),
    threadLink(message, options),
  );
  const left = compact ? el("span", { class: "message-time" }, time) : avatar(who);
  return el(
    "li",
    { class: kinds.join(" "), data: { ts: message.ts } },
    message.ephemeral && !compact && el("p", { class: "only-you" }, icon("eye"), "Only visible to you"),
    el("div", { class: "message-row" }, left, main),
    tools(message, options, who, directory),
  );
}

/** A file with its name, to be saved; one that was deleted has no name and leads nowhere. */
function fileRow(file, directory) {
  const name = file.name || file.title || "file";
  const address = `/sandbox/file/${encodeURIComponent(file.id)}?user=${encodeURIComponent(directory.me)}`;
  const label = file.mode === "tombstone" ? name : el("a", { href: address, download: name, text: name });
  return el("p", { class: "file" }, icon("file"), label);
}

/** What somebody typed to the app: one quiet line, which only they see. */
function typed(directory, message) {
  const who = author(directory, message);
  const date = moment(message.ts);
  return el(
    "li",
    { class: "message is-ephemeral is-command", data: { ts: message.ts } },
    el(
      "div",
      { class: "message-row" },
      avatar(who, "avatar-small"),
      el(
        "div",
        { class: "message-main" },
        el("span", { class: "author", text: who.name }),
        " typed ",
        el("code", { class: "typed", text: message.command }),
        el("time", { datetime: date.toISOString(), title: longMoment(date, directory.zone), text: clock(date, directory.zone) }),
        el("span", { class: "only-you-short", title: "Only visible to you" }, icon("eye"), el("span", { class: "visually-hidden", text: "Only visible to you" })),
      ),
    ),
  );
}

function content(message, surface, directory) {
  if (message.blocks?.length) return renderBlocks(message.blocks, surface);
  if (!message.text && message.files?.length) return null;
  const text = el("div", { class: "message-text" }, mrkdwn(message.text, directory));
  if (message.edited && !message.bot) text.append(el("span", { class: "edited", text: " (edited)" }));
  return isLong(message.text) ? folded(text, message.ts) : text;
}

/** A text that is pasted rather than written is folded, as in Slack. */
const LONG = { lines: 15, characters: 1200 };

function isLong(text) {
  return text.length > LONG.characters || text.split("\n").length > LONG.lines;
}

/** The long messages that were unfolded, by time: they stay so when they are drawn anew. */
const unfolded = new Set();

function folded(text, ts) {
  text.id = freshId("long");
  const more = el("button", { type: "button", class: "fold", "aria-controls": text.id });
  const show = () => {
    const open = unfolded.has(ts);
    text.classList.toggle("is-folded", !open);
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "Show less" : "Show more";
  };
  more.addEventListener("click", () => {
    if (!unfolded.delete(ts)) unfolded.add(ts);
    show();
    if (!unfolded.has(ts)) more.scrollIntoView({ block: "nearest" });
  });
  show();
  return [text, more];
}

function threadLink(message, options) {
  if (!options.onThread || !message.reply_count) return null;
  const words = message.reply_count === 1 ? "1 reply" : `${message.reply_count} replies`;
  return el("button", { type: "button", class: "thread-link", on: { click: () => options.onThread(message) } }, icon("thread"), words);
}

function tools(message, options, who, directory) {
  if (message.ephemeral || message.notice) return null;
  const shortcuts = options.onShortcut ? directory.shortcuts ?? [] : [];
  const more = el("button", { type: "button", class: "tool", "aria-label": `More for the message of ${who.name}`, title: "More" }, icon("more"));
  return el(
    "div",
    { class: "message-tools" },
    options.onThread && el("button", {
      type: "button", class: "tool", "aria-label": `Reply in thread to ${who.name}`, title: "Reply in thread", on: { click: () => options.onThread(message) },
    }, icon("thread")),
    shortcuts.length > 0 && [more, menu(more, shortcuts.map((shortcut) => ({
      label: shortcut.name, note: directory.bot.name, choose: () => options.onShortcut(message, shortcut),
    })))],
  );
}
