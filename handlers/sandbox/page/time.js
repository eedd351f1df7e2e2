/** Times as the person who is looking would read them: in their own zone, 24 hours. */

const formats = new Map();

function format(zone, options) {
  const key = `${zone}${JSON.stringify(options)}`;
  if (!formats.has(key)) {
    let made;
    try {
      made = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone });
    } catch {
      made = new Intl.DateTimeFormat("en-GB", options); // a zone this browser does not know
    }
    formats.set(key, made);
  }
  return formats.get(key);
}

/** @param {string} ts seconds.counter, as in Slack */
export function moment(ts) {
  return new Date(Number.parseFloat(ts) * 1000);
}

export function clock(date, zone) {
  return format(zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(date);
}

export function longMoment(date, zone) {
  const day = format(zone, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  return `${day.format(date)} at ${clock(date, zone)}`;
}

/** `2026-12-07` in that zone. */
export function dayKey(date, zone) {
  const parts = format(zone, { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(date);
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}`;
}

function relativeDay(date, zone, now) {
  const day = dayKey(date, zone);
  const dayMs = 86_400_000;
  if (day === dayKey(now, zone)) return "Today";
  if (day === dayKey(new Date(now.getTime() - dayMs), zone)) return "Yesterday";
  if (day === dayKey(new Date(now.getTime() + dayMs), zone)) return "Tomorrow";
  return null;
}

export function dayLabel(date, zone, now = new Date()) {
  const near = relativeDay(date, zone, now);
  if (near === "Today" || near === "Yesterday") return near;
  const sameYear = dayKey(date, zone).slice(0, 4) === dayKey(now, zone).slice(0, 4);
  const options = { weekday: "long", day: "numeric", month: "long" };
  return format(zone, sameYear ? options : { ...options, year: "numeric" }).format(date);
}

const TOKENS = {
  date_num: (date, zone) => dayKey(date, zone),
  date: (date, zone) => format(zone, { day: "numeric", month: "long", year: "numeric" }).format(date),
  date_short: (date, zone) => format(zone, { day: "numeric", month: "short", year: "numeric" }).format(date),
  date_long: (date, zone) =>
    format(zone, { weekday: "long", day: "numeric", month: "long", year: "numeric" }).format(date),
  day_divider_pretty: (date, zone) => dayLabel(date, zone),
  time: clock,
  time_secs: (date, zone) =>
    format(zone, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }).format(date),
  ago: (date) => ago(date),
};

function ago(date, now = new Date()) {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const steps = [["day", 86_400], ["hour", 3_600], ["minute", 60]];
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit);
  }
  return "just now";
}

/** The text of `<!date^seconds^pattern|…>`; `null` when the pattern or the time makes no sense. */
export function slackDate(seconds, pattern, zone) {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime()) || !pattern) return null;
  let known = true;
  const text = pattern.replace(/\{([a-z_]+)\}/g, (whole, name) => {
    const pretty = name.endsWith("_pretty") && name !== "day_divider_pretty";
    const token = TOKENS[pretty ? name.slice(0, -"_pretty".length) : name];
    if (!token) {
      known = false;
      return whole;
    }
    return (pretty && relativeDay(date, zone, new Date())?.toLowerCase()) || token(date, zone);
  });
  return known ? text : null;
}
