/** The panel of one thread. */

import { Composer } from "./composer.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { MessageList } from "./messages.js";

export class Thread {
  /**
   * @param {HTMLElement} root
   * @param {{
   *   send: (text: string, ts: string) => Promise<object>, close: () => void,
   *   share: (files: File[], text: string, ts: string) => Promise<object>,
   *   onShortcut: (message: object, shortcut: object) => void,
   * }} actions
   */
  constructor(root, actions) {
    this.root = root;
    this.ts = null;
    this.title = el("span", { class: "thread-where" });
    const close = el("button", { type: "button", class: "tool", "aria-label": "Close the thread", on: { click: actions.close } }, icon("close"));
    const list = el("ol", { class: "messages" });
    this.scroller = el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "Thread messages" }, list);
    const place = el("div", { class: "composer-place" });
    fill(root, [
      el("header", { class: "head" }, el("div", { class: "head-title" }, el("h2", { text: "Thread" }), this.title), close),
      this.scroller,
      place,
    ]);
    this.list = new MessageList(list, { onShortcut: actions.onShortcut });
    this.composer = new Composer(place, { id: "thread-text", commands: false, send: (text) => actions.send(text, this.ts), share: (files, text) => actions.share(files, text, this.ts) });
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) actions.close();
    });
  }

  get open() {
    return this.ts !== null;
  }

  show(workspace, channel, ts) {
    const fresh = this.ts !== ts;
    this.ts = ts;
    this.root.hidden = ts === null;
    if (ts === null) return;
    const messages = workspace.thread(channel, ts);
    const low = this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < 80;
    const count = this.list.list.childElementCount;
    this.title.textContent = channelTitle(workspace, channel);
    this.list.show(workspace, channel, messages);
    this.composer.turnTo(workspace, `${workspace.me} ${channel} ${ts}`, {
      label: "Reply in the thread",
      placeholder: `Reply, or mention @${workspace.bot.name}`,
    });
    const grown = this.list.list.childElementCount !== count;
    if (fresh || (low && grown)) this.scroller.scrollTop = this.scroller.scrollHeight;
  }
}

function channelTitle(workspace, id) {
  const channel = workspace.channel(id);
  return channel?.kind === "im" ? workspace.channelName(channel) : `#${workspace.channelName(channel)}`;
}
