// One WebSocket to one table. Everything shown comes from snapshots; a command is sent again under the same id until the
// server has answered it, so a lost connection loses nothing and does nothing twice.
import { signal } from "./vendor/preact.js";
import { clientSeedFor, promised } from "./fair.js";

/** How long the server may be silent before we say so, and before we stop waiting and call again. */
const PATIENCE = 2000,
  ENOUGH = 7000;
const FIRST_WAIT = 250,
  LONGEST_WAIT = 8000;
/** Browsers hide the pings of the protocol, so a dead line is noticed by its silence after a command, or by `online`. */
const BEAT = 500;

/** @typedef {{command: object, sent: number, slow: boolean, done: (refused: Message | null) => void}} Pending `slow`: the server may think */

/** @param {string} table @param {string | null} token */
export function connect(table, token) {
  const snapshot = signal(/** @type {Snapshot | null} */ (null));
  const lines = signal(/** @type {Line[]} */ ([]));
  const silent = signal(false);
  /** The server said goodbye, or there is no such table: what it said. */
  const farewell = signal(/** @type {Message | null} */ (null));
  const missing = signal(false);
  /** The newest advice that was asked for. */
  const hint = signal(/** @type {Hint | null} */ (null));

  /** @type {WebSocket | null} */
  let socket = null;
  let tries = 0,
    closed = false,
    downSince = Date.now(),
    number = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;
  /** @type {Map<string, Pending>} */
  const pending = new Map();
  const tag = Math.random().toString(36).slice(2, 8);

  function open() {
    clearTimeout(retry);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const mine = (socket = new WebSocket(`${scheme}//${location.host}/ws/${encodeURIComponent(table)}`));
    mine.onopen = () => {
      mine.send(JSON.stringify({ type: "hello", client_seed: clientSeedFor(table, 1), ...(token && { token }) }));
      for (const waiting of pending.values()) transmit(waiting);
    };
    mine.onmessage = (event) => {
      if (mine === socket) receive(JSON.parse(event.data));
    };
    mine.onclose = () => {
      if (mine === socket) lost();
    };
  }

  /** @param {any} message */
  function receive(message) {
    downSince = 0;
    tries = 0;
    if (message.type === "snapshot") return show(message);
    if (message.type === "refused") return settle(message.id, message.message);
    if (message.type === "hint") {
      hint.value = message;
      return settle(message.id, null);
    }
    if (message.type === "bye") {
      farewell.value = message.message;
      lost(message.again_in * 1000);
    }
  }

  /** @param {Snapshot} next */
  function show(next) {
    farewell.value = null;
    silent.value = false;
    const known = lines.peek();
    // Often nothing new was said; then the same list spares everybody who watches it the work.
    if (next.log.lines.length || next.log.from !== known.length)
      lines.value = [...known.slice(0, next.log.from), ...next.log.lines];
    const before = snapshot.peek();
    if (before?.table.round !== next.table.round) hint.value = null;
    snapshot.value = next;
    if (next.deal && next.deal.next !== before?.deal?.next) {
      promised(table, next.table.round, next.deal.commitment);
      promised(table, next.table.round + 1, next.deal.next);
    }
    for (const id of next.answers) settle(id, null);
  }

  /** @param {string} id @param {Message | null} refused */
  function settle(id, refused) {
    pending.get(id)?.done(refused);
    pending.delete(id);
  }

  /** @param {number} [wait] as the server asked */
  function lost(wait) {
    const gone = socket;
    socket = null;
    gone?.close();
    if (closed) return;
    downSince ||= Date.now();
    // Jitter: after a restart of the server not everybody calls in the same moment.
    const pause = wait ?? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.5 + Math.random());
    tries += 1;
    clearTimeout(retry);
    retry = setTimeout(open, pause);
    if (!snapshot.peek() && tries > 1) void find();
  }

  /** A refused handshake says nothing to a script, so ask whether there is such a table at all. */
  async function find() {
    const answer = await fetch(`/api/tables/${encodeURIComponent(table)}`).catch(() => null);
    if (answer?.status !== 404) return;
    missing.value = true;
    close();
  }

  /** @param {Pending} waiting */
  function transmit(waiting) {
    waiting.sent = Date.now();
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(waiting.command));
  }

  /** Sends a command; resolves to null when it is done, or to the message that says why not. @param {string} type @param {object} [more] @param {boolean} [slow] @returns {Promise<Message | null>} */
  function command(type, more = {}, slow = false) {
    number += 1;
    const id = `${tag}${number}`;
    return new Promise((done) => {
      const waiting = { command: { type, id, ...more }, sent: 0, slow, done };
      pending.set(id, waiting);
      transmit(waiting);
    });
  }

  const beat = setInterval(() => {
    const now = Date.now();
    const oldest = Math.min(now, ...[...pending.values()].map((waiting) => (waiting.slow ? now : waiting.sent)));
    silent.value = (downSince > 0 && now - downSince > PATIENCE) || now - oldest > PATIENCE;
    if (socket?.readyState === WebSocket.OPEN && now - oldest > ENOUGH) lost(0);
  }, BEAT);

  function awake() {
    if (document.visibilityState === "visible" && !closed && socket?.readyState !== WebSocket.OPEN) {
      tries = 0;
      lost(0);
    }
  }
  addEventListener("online", awake);
  document.addEventListener("visibilitychange", awake);

  function close() {
    closed = true;
    clearInterval(beat);
    clearTimeout(retry);
    removeEventListener("online", awake);
    document.removeEventListener("visibilitychange", awake);
    socket?.close();
    socket = null;
  }

  open();
  const at = () => snapshot.peek()?.lines ?? 0;
  const round = () => snapshot.peek()?.table.round ?? 1;
  return {
    snapshot,
    lines,
    silent,
    farewell,
    missing,
    hint,
    close,
    /** Comes in anew, with the seat that was taken. @param {string | null} taken */
    hello: (taken) => {
      token = taken;
      lost(0);
    },
    /** @param {string} move */
    act: (move) => command("move", { at: at(), round: round(), move }),
    undo: () => command("undo", { at: at(), round: round() }),
    /** @param {string} phrase */
    talk: (phrase) => command("say", { at: at(), round: round(), phrase }),
    /** @param {number} seat @param {"wait" | "bot" | "end"} choice */
    decide: (seat, choice) => command("vanished", { seat, choice }),
    advise: () => command("hint", {}, true),
    rematch: () => command("rematch", { client_seed: clientSeedFor(table, round() + 1) }),
    leave: () => command("leave"),
  };
}

/** @typedef {ReturnType<typeof connect>} Connection */
