/** Puts the page together: one person's view of the workspace, kept in step with the stream. */

import * as api from "./api.js";
import { Composer } from "./composer.js";
import { isNarrow } from "./dom.js";
import { packed } from "./files.js";
import { asTyped, showHead, showHints, showIntro } from "./header.js";
import { Home } from "./home.js";
import { MessageList } from "./messages.js";
import { Modals } from "./modal.js";
import { announce, toast } from "./notices.js";
import { Sidebar } from "./sidebar.js";
import { mentions } from "./suggestions.js";
import { applyTheme } from "./theme.js";
import { Thread } from "./thread.js";
import { see, unreadOf } from "./unread.js";
import { Workspace, isReply } from "./workspace.js";

/** Nearer to the end than this, new messages scroll into view. */
const NEAR_PX = 120;

/** What comes to one person alone within this time after a press answers it, and is shown. */
const ANSWER_MS = 5000;

/** In a direct message the app's first one after one's own is its answer: reading a page takes a while. */
const WORK_MS = 60_000;

const at = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.workspace = null;
    this.channel = null;
    this.tab = "messages";
    this.unreadFrom = null;
    this.hangUp = () => {};
    this.turn = 0;
    /** direct message → when one last said something there that is not answered yet */
    this.spoken = new Map();

    this.list = new MessageList(at("messages"), {
      onThread: (message) => this.openThread(message.thread_ts || message.ts),
      onShortcut: (message, shortcut) => this.chosen(message, shortcut),
    });
    this.home = new Home(at("home"));
    this.modals = new Modals();
    this.sidebar = new Sidebar(at("sidebar"), {
      open: (channel) => this.open(channel),
      become: (user) => this.become(user),
      close: () => this.drawer(false),
    });
    this.thread = new Thread(at("thread"), {
      send: (text, ts) => this.say(text, ts),
      share: (files, text, ts) => this.share(files, text, ts),
      onShortcut: (message, shortcut) => this.chosen(message, shortcut),
      close: () => this.closeThread(),
    });
    this.composer = new Composer(at("composer"), {
      id: "composer-text",
      commands: true,
      send: (text) => this.say(text),
      share: (files, text) => this.share(files, text),
    });

    at("scrim").addEventListener("click", () => this.drawer(false));
    at("jump").addEventListener("click", () => this.toNewest());
    at("scroller").addEventListener("scroll", () => {
      if (this.nearEnd()) at("jump").hidden = true;
    }, { passive: true });
    window.matchMedia("(max-width: 760px)").addEventListener("change", () => this.drawer(false));
    window.addEventListener("hashchange", () => this.follow());
    document.addEventListener("keydown", (event) => this.shortcut(event));
    this.drawer(false);
  }

  /* ---- who and where ---- */

  async follow() {
    const [user, channel, tab] = location.hash.slice(1).split("/").map(decodeURIComponent);
    if (!this.workspace || (user && user !== this.workspace.me)) await this.become(user, channel, tab);
    else if (channel && (channel !== this.channel || (tab ?? "messages") !== this.tab)) await this.open(channel, tab);
  }

  async become(user, channel = this.channel, tab = "messages") {
    const turn = ++this.turn;
    const state = await api.state(user);
    if (turn !== this.turn) return;
    if (!state.ok) {
      toast(state.message || `The sandbox said: ${state.error}`, "error");
      window.setTimeout(() => !this.workspace && this.follow(), 2000);
      return;
    }
    const before = this.workspace;
    this.hangUp();
    this.modals.clear();
    this.closeThread();
    this.workspace = new Workspace(state);
    this.workspace.openChannel = (id) => this.open(id);
    this.hangUp = api.listen(this.workspace.me, {
      event: (event) => this.hear(event),
      line: (up, again) => this.line(up, again),
    });
    const same = this.workspace.channel(channel);
    const dm = channel?.startsWith("D") ? this.workspace.directMessage : null;
    const place = same ?? dm ?? this.workspace.channels.find(({ name }) => name === "hiring") ?? this.workspace.channels[0];
    await this.open(place.id, tab);
    if (before) announce(`You are ${this.workspace.self?.real_name ?? this.workspace.me}`);
    await this.countUnread();
  }

  async countUnread() {
    const { workspace } = this;
    const others = workspace.channels.filter(({ id }) => id !== this.channel);
    const answers = await Promise.all(others.map(({ id }) => api.messages(workspace.me, id)));
    if (this.workspace !== workspace) return;
    answers.forEach((answer, index) => {
      const channel = others[index];
      if (!answer.ok || channel.id === this.channel) return;
      channel.unread = Math.max(channel.unread, unreadOf(workspace.me, channel.id, answer.messages));
    });
    this.show();
  }

  async open(id, tab = "messages") {
    const { workspace } = this;
    const channel = workspace.channel(id);
    if (!channel) return;
    if (id !== this.channel) this.closeThread();
    this.channel = id;
    this.tab = channel.kind === "im" && tab === "home" ? "home" : "messages";
    const { unread } = channel;
    channel.unread = 0;
    this.drawer(false);
    this.show();
    if (this.tab === "home") {
      const answer = await api.home(workspace.me);
      if (!answer.ok) toast(answer.message || `Home did not open (${answer.error}).`, "error");
      else if (answer.view && !workspace.home) {
        workspace.home = answer.view;
        if (this.workspace === workspace && this.tab === "home") this.home.show(workspace);
      }
      return;
    }
    if (!isNarrow()) this.composer.focus();
    const answer = await api.messages(workspace.me, id);
    if (this.workspace !== workspace || this.channel !== id) return;
    if (!answer.ok) {
      toast(answer.message || `The messages did not come (${answer.error}).`, "error");
      return;
    }
    workspace.learn(id, answer.messages);
    this.unreadFrom = unread ? workspace.main(id).at(-unread)?.ts ?? null : null;
    this.show();
    const mark = this.unreadFrom && document.querySelector(".divider-new");
    if (mark) mark.scrollIntoView({ block: "center" });
    else this.toEnd();
  }

  /* ---- what is shown ---- */

  show() {
    const { workspace } = this;
    const channel = workspace.channel(this.channel);
    const name = workspace.channelName(channel);
    const unread = workspace.channels.reduce((sum, other) => sum + other.unread, 0);
    document.title = `${unread ? `(${unread}) ` : ""}${channel.kind === "im" ? name : `#${name}`} · ${workspace.team.name} sandbox`;
    history.replaceState(null, "", `#${[workspace.me, channel.id, ...(this.tab === "home" ? ["home"] : [])].join("/")}`);
    this.sidebar.show(workspace, channel.id);
    showHead(at("channel-head"), workspace, channel, this.tab, {
      drawer: () => this.drawer(true),
      tab: (tab) => this.open(channel.id, tab),
    });
    at("home-panel").hidden = this.tab !== "home";
    at("messages-panel").hidden = this.tab === "home";
    at("hints").hidden = this.tab === "home" || workspace.hints.length === 0;
    if (this.tab === "home") {
      this.home.show(workspace);
      return;
    }
    showHints(at("hints"), workspace, channel, (hint) => this.take(hint));
    showIntro(at("intro"), workspace, channel);
    this.showMessages();
    const sign = channel.kind === "im" ? name : `#${name}`;
    this.composer.turnTo(workspace, `${workspace.me} ${channel.id}`, {
      label: `Message to ${sign}`,
      placeholder: asTyped(channel, workspace.placeholder) || `Message ${sign}`,
    });
  }

  showMessages() {
    const { workspace, channel } = this;
    this.list.show(workspace, channel, workspace.main(channel), this.unreadFrom);
    see(workspace.me, channel, workspace.main(channel));
    at("working").hidden = !workspace.busy.has(channel);
    at("working-name").textContent = workspace.bot.name;
    if (this.thread.open) this.thread.show(workspace, channel, this.thread.ts);
  }

  nearEnd() {
    const scroller = at("scroller");
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
  }

  toEnd() {
    at("scroller").scrollTop = at("scroller").scrollHeight;
    at("jump").hidden = true;
  }

  /** The end; but something taller than the window is read from its beginning. */
  toNewest() {
    this.toEnd();
    const scroller = at("scroller");
    const last = at("messages").lastElementChild;
    const before = last?.previousElementSibling;
    const first = before?.classList.contains("is-command") ? before : last;
    if (!first) return;
    const above = first.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    if (above < 0) scroller.scrollTop += above;
  }

  drawer(open) {
    const narrow = isNarrow();
    document.body.classList.toggle("drawer-open", narrow && open);
    at("sidebar").inert = narrow && !open;
    at("main").inert = narrow && open;
    at("scrim").hidden = !(narrow && open);
    if (narrow && open) at("sidebar").querySelector(".nav-item[tabindex='0']")?.focus();
  }

  /* ---- what one does ---- */

  take(hint) {
    this.composer.set(hint);
    this.composer.focus();
  }

  async say(text, thread) {
    const { workspace, channel } = this;
    const command = !thread && text.startsWith("/");
    const answer = await api.say({
      user: workspace.me,
      channel,
      text: mentions(workspace, text, { handles: command }),
      ...(thread ? { thread_ts: thread } : {}),
    });
    if (answer.ok && channel === this.channel) this.unreadFrom = null;
    return answer;
  }

  async share(files, text, thread) {
    const { workspace, channel } = this;
    return api.share({
      user: workspace.me,
      channel,
      files: await Promise.all(files.map(packed)),
      text: mentions(workspace, text),
      ...(thread ? { thread_ts: thread } : {}),
    });
  }

  async chosen(message, { callback_id: callback }) {
    const { workspace, channel } = this;
    workspace.pressedAt = performance.now();
    const answer = await api.shortcut({ user: workspace.me, channel, ts: message.ts, callback_id: callback });
    if (!answer.ok) toast(answer.message || `That did not work (${answer.error}).`, "error");
  }

  async openThread(ts) {
    const { workspace, channel } = this;
    this.thread.show(workspace, channel, ts);
    document.body.classList.add("thread-open");
    this.thread.composer.focus();
    const answer = await api.messages(workspace.me, channel, ts);
    if (!answer.ok || this.workspace !== workspace || this.thread.ts !== ts) return;
    workspace.learnThread(channel, answer.messages);
    this.thread.show(workspace, channel, ts);
    this.thread.scroller.scrollTop = this.thread.scroller.scrollHeight;
  }

  closeThread() {
    if (!this.thread.open) return;
    this.thread.show(this.workspace, this.channel, null);
    document.body.classList.remove("thread-open");
    if (!isNarrow()) this.composer.focus();
  }

  shortcut(event) {
    if (!this.workspace || document.querySelector("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      this.drawer(true);
      at("sidebar").querySelector(".nav-item[tabindex='0']")?.focus();
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      const { channels } = this.workspace;
      const here = channels.findIndex(({ id }) => id === this.channel);
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.open(channels[(here + step + channels.length) % channels.length].id);
    } else if (event.key === "Escape" && document.body.classList.contains("drawer-open")) {
      this.drawer(false);
      at("drawer")?.focus();
    }
  }

  /* ---- what happens ---- */

  async line(up, again) {
    document.body.dataset.line = up ? "up" : "down";
    at("line").hidden = up;
    if (!up || !again) return;
    const { workspace, channel } = this;
    const state = await api.state(workspace.me);
    if (this.workspace !== workspace) return;
    if (state.ok) workspace.bot = state.bot;
    workspace.messages.delete(channel);
    const answer = await api.messages(workspace.me, channel);
    if (!answer.ok || this.workspace !== workspace || this.channel !== channel) return;
    workspace.learn(channel, answer.messages);
    this.show();
  }

  hear(event) {
    const { workspace } = this;
    switch (event.type) {
      case "message":
      case "changed":
        this.heard(event.channel, event.message);
        break;
      case "deleted":
        workspace.remove(event.channel, event.ts);
        if (event.channel === this.channel) this.showMessages();
        break;
      case "view":
        this.modals.hear(workspace, event);
        break;
      case "home":
        workspace.home = event.view;
        if (this.tab === "home") this.home.show(workspace);
        break;
      case "notice":
        this.notice(event);
        break;
      case "bot":
        workspace.bot.online = event.online;
        this.sidebar.show(workspace, this.channel);
        break;
      case "busy":
        if (event.on) workspace.busy.add(event.channel);
        else workspace.busy.delete(event.channel);
        at("working").hidden = !workspace.busy.has(this.channel);
        break;
      default:
    }
  }

  heard(channelId, message) {
    const { workspace } = this;
    const fresh = workspace.put(channelId, message);
    const reply = isReply(message);
    if (reply && !message.ephemeral) workspace.countReply(channelId, message);
    const mine = message.user === workspace.me && !message.bot;
    if (fresh && !mine) {
      const channel = workspace.channel(channelId);
      const who = message.bot ? workspace.bot.name : workspace.user(message.user)?.real_name ?? "";
      const where = channelId === this.channel ? "" : ` in ${workspace.channelName(channel)}`;
      announce(`${who}${where}: ${message.text}`);
    }
    const now = performance.now();
    const said = this.spoken.get(channelId) ?? -Infinity;
    if (mine) this.spoken.set(channelId, now);
    const answers = fresh && Boolean(message.bot) && workspace.channel(channelId)?.kind === "im" && now - said < WORK_MS;
    if (answers) this.spoken.delete(channelId); // what comes after the answer waits below
    const answer = answers || (message.ephemeral && now - workspace.pressedAt < ANSWER_MS);
    if (channelId === this.channel && this.tab === "messages") this.arrive(fresh && !reply, mine || answer);
    else if (fresh && !mine && !reply) {
      const channel = workspace.channel(channelId);
      if (channel) channel.unread += 1;
      this.show();
    }
  }

  /** Shows a change in the channel that is open, keeping one's place in it. */
  arrive(fresh, wanted) {
    const near = this.nearEnd();
    this.showMessages();
    if (fresh && (near || wanted)) this.toNewest();
    else if (near) this.toEnd();
    else if (fresh) at("jump").hidden = false;
  }

  notice({ level, text, channel }) {
    const { workspace } = this;
    if (!channel && this.modals.isOpen) return; // said inside the modal, at what was pressed
    if (!channel || channel !== this.channel || this.tab === "home") toast(text, level);
    if (!channel) return;
    workspace.note(channel, text, level);
    announce(`Slackbot: ${text}`);
    if (channel === this.channel && this.tab === "messages") this.arrive(true, true);
  }
}

applyTheme();
new Page().follow();
