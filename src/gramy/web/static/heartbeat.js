// Notices a connection that is dead without being closed. Scripts can neither send nor see WebSocket pings, so the page
// sends small text messages, which the server answers at once. See docs/protocol.md.

/** A visible page sends PING and keeps sending it. A hidden page sends CHECK: browsers slow its timers down. */
const PING = "ping";
const CHECK = "check";
export const PONG = "pong";
/** Milliseconds between two pings of a visible and of a hidden page, and the time that the server has to answer. */
const VISIBLE_INTERVAL = 4000;
const HIDDEN_INTERVAL = 30_000;
const ANSWER_TIME = 5000;

/** @param {() => number} now the time in milliseconds; it must go on while the device sleeps */
export function heartbeat(now = Date.now) {
  let sent = -Infinity;
  /** When the ping that has no answer yet was sent, 0 if there is none. */
  let asked = 0;
  return {
    /** Forget the connection before. */
    reset: () => {
      sent = -Infinity;
      asked = 0;
    },
    /** Note that the server has sent something. */
    heard: () => {
      asked = 0;
    },
    /**
     * Return the ping to send now, "" if none is due.
     * @param {boolean} hidden whether the page is hidden
     * @param {boolean} [atOnce] send one in any case
     */
    ping: (hidden, atOnce = false) => {
      if (!atOnce && now() - sent < (hidden ? HIDDEN_INTERVAL : VISIBLE_INTERVAL)) return "";
      sent = now();
      asked ||= sent;
      return hidden ? CHECK : PING;
    },
    /** Return for how many milliseconds the server has owed an answer. */
    unanswered: () => (asked ? now() - asked : 0),
    /** Return whether the connection counts as dead. */
    dead: () => asked > 0 && now() - asked > ANSWER_TIME,
  };
}
