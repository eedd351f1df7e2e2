/** The door to the sandbox's server: calls, and the stream of what happens. */

async function call(path, body) {
  const request = body === undefined
    ? {}
    : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  try {
    const response = await fetch(path, { ...request, credentials: "same-origin", cache: "no-store" });
    const answer = await response.json();
    return answer.ok === undefined ? { ok: response.ok, ...answer } : answer;
  } catch {
    return {
      ok: false,
      error: "unreachable",
      message: "The sandbox does not answer. Is it still running in the terminal?",
    };
  }
}

function query(fields) {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value)).toString();
}

export const state = (user) => call(`/sandbox/state?${query({ user })}`);
export const messages = (user, channel, thread) => call(`/sandbox/messages?${query({ user, channel, thread })}`);
export const say = (body) => call("/sandbox/say", body);
export const share = (body) => call("/sandbox/share", body);
export const upload = (body) => call("/sandbox/upload", body);
export const shortcut = (body) => call("/sandbox/shortcut", body);
export const click = (body) => call("/sandbox/click", body);
export const submit = (body) => call("/sandbox/submit", body);
export const closeView = (body) => call("/sandbox/close", body);
export const home = (user) => call("/sandbox/home", { user });

/**
 * Listens to one person's stream, for as long as it takes: a lost line is dialled again.
 *
 * @param {string} user
 * @param {{event: (event: object) => void, line: (up: boolean, again: boolean) => void}} listener
 *   `line` hears of the line going up (`again`: not for the first time) and down
 * @returns {() => void} hangs up
 */
export function listen(user, listener) {
  let socket = null;
  let timer = 0;
  let wait = 250;
  let over = false;
  let before = false;

  function dial() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/sandbox/stream?${query({ user })}`);
    socket.addEventListener("open", () => {
      if (over) return;
      wait = 250;
      listener.line(true, before);
      before = true;
    });
    socket.addEventListener("message", ({ data }) => {
      if (!over) listener.event(JSON.parse(data));
    });
    socket.addEventListener("close", () => {
      if (over) return;
      listener.line(false, before);
      timer = window.setTimeout(dial, wait);
      wait = Math.min(wait * 2, 4000);
    });
  }

  dial();
  return () => {
    over = true;
    window.clearTimeout(timer);
    socket?.close();
  };
}
