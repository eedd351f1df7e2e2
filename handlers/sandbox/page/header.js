/** The line over the messages, the first lines of a channel, and the things to try. */

import { avatar } from "./avatar.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { roving } from "./menu.js";
import { channelIcon } from "./sidebar.js";

/**
 * @param {HTMLElement} root
 * @param {object} workspace
 * @param {object} channel
 * @param {"messages"|"home"} tab
 * @param {{drawer: () => void, tab: (tab: string) => void}} actions
 */
export function showHead(root, workspace, channel, tab, actions) {
  const im = channel.kind === "im";
  const name = workspace.channelName(channel);
  const focused = root.contains(document.activeElement) && document.activeElement.dataset.tab;
  fill(root, [
    el("button", {
      type: "button", class: "tool drawer-only", id: "drawer", "aria-label": "Channels and people", on: { click: actions.drawer },
    }, icon("menu"), workspace.channels.some(({ unread }) => unread) && el("span", { class: "drawer-dot" })),
    el(
      "div",
      { class: "head-title" },
      el("h1", { id: "channel-title" }, im ? avatar({ id: workspace.bot.id, name, bot: true }, "avatar-small") : channelIcon(channel), el("span", { text: name })),
      channel.topic && el("span", { class: "topic", text: channel.topic }),
    ),
    im && tabs(tab, actions),
  ]);
  if (focused) root.querySelector(`[data-tab="${focused}"]`)?.focus();
}

function tabs(current, actions) {
  const all = [["home", "Home", "home", "home-panel"], ["messages", "Messages", "chat", "messages-panel"]];
  const nodes = all.map(([key, label, sign, panel]) => el(
    "button",
    {
      type: "button", role: "tab", class: "tab", "aria-selected": String(key === current), "aria-controls": panel,
      tabindex: key === current ? 0 : -1, data: { tab: key }, on: { click: () => actions.tab(key) },
    },
    icon(sign),
    label,
  ));
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": "The app" }, nodes);
  roving(list, () => nodes, { horizontal: true });
  return list;
}

/** A hint as it is typed in this channel: to the bot alone, without the slash command. */
export function asTyped(channel, hint) {
  return channel.kind === "im" ? hint.replace(/\/[a-z][\w-]* /, "") : hint;
}

export function showHints(root, workspace, channel, take) {
  root.hidden = workspace.hints.length === 0;
  fill(root, [
    el("span", { class: "hints-label", text: "Try" }),
    el("div", { class: "hints-row" }, workspace.hints.map((hint) => asTyped(channel, hint)).map((hint) => el(
      "button",
      { type: "button", class: "hint", text: hint, title: "Put this into the message box", on: { click: () => take(hint) } },
    ))),
  ]);
}

/** How a channel begins: what it is, and whether the bot is in it. */
export function showIntro(root, workspace, channel) {
  const bot = workspace.bot.name;
  if (channel.kind === "im") {
    fill(root, [
      el("div", { class: "intro-sign" }, avatar({ id: workspace.bot.id, name: bot, bot: true }, "avatar-large")),
      el("h2", { text: bot }),
      el("p", {}, `Here you talk to ${bot} alone. Write a name, a skill or “help”, or send a résumé: the slash command is not needed.`),
    ]);
    return;
  }
  const kind = {
    private: "A private channel.",
    shared: "A channel shared with another company.",
  }[channel.kind] ?? "A public channel.";
  const member = channel.is_member_bot
    ? `${bot} is in it.`
    : `${bot} is not in it: commands are answered, to you alone, but it cannot post here.`;
  const silent = channel.kind === "shared";
  fill(root, [
    el("div", { class: "intro-sign" }, channelIcon(channel)),
    el("h2", { text: `#${channel.name}` }),
    el("p", {}, `${kind} ${member}`),
    workspace.self?.external && el("p", {}, `${workspace.self.real_name} works for another company: ${bot} tells nothing about candidates here.`),
    channel.kind === "shared" && el("p", {}, "Here nothing is answered about candidates: try it, and it says why."),
    !silent && workspace.placeholder && el("p", {}, `${workspace.placeholder}. Only you see the answer until you share it.`),
  ]);
}
