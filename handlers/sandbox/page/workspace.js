/** What the person who is looking knows: people, channels, messages, what is unread. */

export class Workspace {
  constructor(state) {
    this.team = state.team;
    this.me = state.me;
    this.bot = state.bot;
    this.users = state.users ?? [];
    this.channels = (state.channels ?? []).map((channel) => ({ ...channel, unread: channel.unread ?? 0 }));
    this.placeholder = state.placeholder ?? "";
    this.hints = state.hints ?? [];
    this.commands = state.commands ?? [];
    /** what the app puts into the menu of every message */
    this.shortcuts = state.shortcuts ?? [];
    this.busy = new Set();
    this.home = null;
    /** how many notices came: a failed press that Slack itself reports needs no second word */
    this.notices = 0;
    /** when this person last pressed something, on the page's own clock: what follows is the answer */
    this.pressedAt = Number.NEGATIVE_INFINITY;
    /** channel id → messages, oldest first; absent until fetched */
    this.messages = new Map();
    /** where following a channel mention leads; the page sets it */
    this.openChannel = () => {};
  }

  user(id) {
    return this.users.find((user) => user.id === id);
  }

  channel(id) {
    return this.channels.find((channel) => channel.id === id);
  }

  get self() {
    return this.user(this.me);
  }

  get zone() {
    return this.self?.tz || "UTC";
  }

  get directMessage() {
    return this.channels.find((channel) => channel.kind === "im");
  }

  /** The people whose eyes one can borrow: everybody but bots. */
  get people() {
    return this.users.filter((user) => user.kind !== "bot");
  }

  /** `/candidate`, from what the server says or else from its placeholder. */
  get slashCommands() {
    if (this.commands.length) return this.commands;
    const found = [this.placeholder, ...this.hints].join("\n").match(/(?:^|\s)(\/[a-z][\w-]*)/m);
    return found ? [{ command: found[1], description: "Ask the bot about candidates" }] : [];
  }

  channelName(channel) {
    if (!channel) return "";
    return channel.kind === "im" ? this.bot.name : channel.name;
  }

  main(channelId) {
    const all = this.messages.get(channelId) ?? [];
    return all.filter((message) => !isReply(message) || message.broadcast);
  }

  thread(channelId, ts) {
    const all = this.messages.get(channelId) ?? [];
    return all.filter((message) => message.ts === ts || message.thread_ts === ts);
  }

  /**
   * Takes in what the server sent for a channel, keeping what only the page knows: notices,
   * replies, and what the stream brought while the answer was under way.
   */
  learn(channelId, fetched) {
    const known = this.messages.get(channelId) ?? [];
    const keys = new Set(fetched.map(key));
    const last = Number.parseFloat(fetched.at(-1)?.ts ?? "0");
    const kept = known.filter((message) => {
      const stays = message.notice || isReply(message) || Number.parseFloat(message.ts) > last;
      return stays && !keys.has(key(message));
    });
    this.messages.set(channelId, sorted([...fetched, ...kept]));
  }

  learnThread(channelId, fetched) {
    const keys = new Set(fetched.map(key));
    const known = (this.messages.get(channelId) ?? []).filter((message) => !keys.has(key(message)));
    this.messages.set(channelId, sorted([...known, ...fetched]));
  }

  /** Adds or replaces one message. @returns {boolean} whether it is new */
  put(channelId, message) {
    const known = this.messages.get(channelId) ?? [];
    const at = known.findIndex((other) => key(other) === key(message));
    if (at >= 0) {
      this.messages.set(channelId, known.with(at, message));
      return false;
    }
    this.messages.set(channelId, sorted([...known, message]));
    return true;
  }

  /** Counts a new reply at its parent, until the server's own count arrives. */
  countReply(channelId, message) {
    const parent = (this.messages.get(channelId) ?? []).find((other) => other.ts === message.thread_ts);
    if (!parent) return;
    const replies = this.thread(channelId, parent.ts).filter((other) => isReply(other) && !other.ephemeral);
    const count = Math.max(parent.reply_count ?? 0, replies.length);
    if (count !== parent.reply_count) this.put(channelId, { ...parent, reply_count: count });
  }

  /** A line of Slack's own, after all that is there. */
  note(channelId, text, level) {
    this.notices += 1;
    const last = Number.parseFloat((this.messages.get(channelId) ?? []).at(-1)?.ts ?? "0");
    const ts = (last ? last + 0.000001 : Date.now() / 1000).toFixed(6);
    this.put(channelId, {
      ts, user: "", bot: false, text, blocks: null, ephemeral: true, notice: level || "info", number: this.notices,
    });
  }

  remove(channelId, ts) {
    const known = this.messages.get(channelId) ?? [];
    this.messages.set(channelId, known.filter((message) => message.ts !== ts));
  }
}

/** What a message is known by: its time, and for a notice of Slack's own a number of the page's. */
export function key(message) {
  return `${message.ts}|${message.notice ? message.number : ""}`;
}

export function isReply(message) {
  return Boolean(message.thread_ts) && message.thread_ts !== message.ts;
}

function sorted(messages) {
  return messages.toSorted((a, b) => Number.parseFloat(a.ts) - Number.parseFloat(b.ts));
}
