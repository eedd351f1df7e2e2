/** What the composer offers while one types: commands, people, channels. */

import { avatar } from "./avatar.js";
import { icon } from "./icons.js";
import { channelIcon } from "./sidebar.js";

/**
 * @typedef {{picture: Node, label: string, note?: string, from: number, insert: string}} Suggestion
 *   `insert` replaces what stands between `from` and the caret
 *
 * @param {object} workspace
 * @param {string} text what stands before the caret
 * @param {{commands: boolean}} options commands: slash commands exist here (not in threads)
 * @returns {{found: Suggestion[], eager: boolean}} eager: Enter takes the first one; otherwise it sends
 */
export function suggestions(workspace, text, { commands }) {
  const none = { found: [], eager: false };
  const word = /(?:^|[\s(])([@#])([^\s@#]*)$/.exec(text);
  if (!word) return commands && text.startsWith("/") && !text.includes("\n") ? slash(workspace, text) : none;
  const [, sign, part] = word;
  const from = text.length - part.length - 1;
  const all = sign === "@" ? people(workspace) : channels(workspace);
  const start = part.toLowerCase();
  const found = all
    .filter(({ label, handle = "" }) => [label, ...label.split(/[\s-]+/), handle].some((piece) => piece.toLowerCase().startsWith(start)))
    .map((choice) => ({ ...choice, from, insert: `${sign}${(text.startsWith("/") && choice.handle) || choice.label} ` }))
    .slice(0, 6);
  return { found, eager: !found.some(({ label, handle = "" }) => [label, handle].some((name) => name.toLowerCase() === start)) };
}

function slash(workspace, text) {
  const typed = text.toLowerCase();
  const known = workspace.slashCommands;
  const complete = known.some(({ command }) => typed === command || typed.startsWith(`${command} `));
  if (!complete) {
    const found = known
      .filter(({ command }) => command.startsWith(typed))
      .map(({ command, description, usage_hint: usage }) => ({
        picture: icon("slash"), label: command, note: [usage, description].filter(Boolean).join(" · "), from: 0, insert: `${command} `,
      }));
    return { found, eager: true };
  }
  const found = workspace.hints
    .filter((hint) => hint.toLowerCase().startsWith(typed) && hint.toLowerCase() !== typed)
    .map((hint) => ({ picture: icon("slash"), label: hint, from: 0, insert: hint }));
  return { found, eager: false };
}

function people(workspace) {
  const bot = { id: workspace.bot.id, name: workspace.bot.name, handle: workspace.user(workspace.bot.id)?.name, bot: true };
  const others = workspace.people.map((person) => ({ ...person, handle: person.name, name: person.real_name, bot: false }));
  return [bot, ...others].map((who) => ({ picture: avatar(who, "avatar-tiny"), label: who.name, handle: who.handle ?? "", note: who.handle }));
}

function channels(workspace) {
  return workspace.channels
    .filter(({ kind }) => kind !== "im")
    .map((channel) => ({ picture: channelIcon(channel), label: channel.name, note: channel.topic }));
}

/**
 * A full name behind an `@` becomes the mention it means, as in Slack's own composer, or the
 * handle, which the echo of a command can show; handles, channels and links are the server's to wrap.
 */
export function mentions(workspace, text, { handles = false } = {}) {
  const bot = { name: workspace.user(workspace.bot.id)?.name, real_name: workspace.bot.name, id: workspace.bot.id };
  let sent = text;
  for (const who of [bot, ...workspace.people].toSorted((a, b) => b.real_name.length - a.real_name.length)) {
    const literal = who.real_name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const meant = handles && who.name ? `@${who.name}` : `<@${who.id}>`;
    sent = sent.replace(new RegExp(`(?<![\\p{L}\\p{N}])@${literal}(?![\\p{L}\\p{N}])`, "giu"), meant);
  }
  return sent;
}
