/** How far each person of this page has read, so that changing chairs shows what came meanwhile. */

import { isReply } from "./workspace.js";

const opened = Date.now() / 1000;

/** person and channel → the time of the last message that was on the screen */
const seen = new Map();

export function see(user, channel, messages) {
  const last = messages.at(-1);
  if (last) seen.set(`${user} ${channel}`, Number.parseFloat(last.ts));
}

/** The number of messages of others that came since, or since the page was opened. */
export function unreadOf(user, channel, messages) {
  const since = seen.get(`${user} ${channel}`) ?? opened;
  const fresh = messages.filter((message) => message.user !== user && !isReply(message) && !message.command);
  return fresh.filter(({ ts }) => Number.parseFloat(ts) > since).length;
}
