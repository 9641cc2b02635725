// One WebSocket to one table. The server sends snapshots. A command is sent again under the same id until the server
// answers it, so after a lost connection no command is lost and none is carried out twice.
import { signal } from "./vendor/preact.js";
import { dealCommand, justTaken, rememberDeal, saveAnswer } from "./dealing.js";
import { PONG, heartbeat } from "./heartbeat.js";
import { notices } from "./notices.js";

/** The version of docs/protocol.md, and the close code of a server that does not support it. */
const PROTOCOL = 3;
const UNSUPPORTED_PROTOCOL = 4000;
/** The close code after the opener of the table has removed this guest. */
const REMOVED = 4001;
/** Milliseconds without an answer until we say so, and until we reconnect. */
const SLOW = 2000;
const DEAD = 7000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const CHECK_INTERVAL = 500;
/** Most deals take a moment. Only a longer one is shown before its cards are there; in milliseconds. */
const SHORT_DEAL = 400;
/** Milliseconds until a commitment or a client seed is sent again that the server could not save. */
const DEAL_RETRY = 500;
const NOT_SAVED = ["not_saved", "save_unknown"];

/**
 * A command without an answer so far. `slow`: the server may take its time, for instance to compute a hint.
 * @typedef {{command: object, sent: number, slow: boolean, done: (refusal: Message | null) => void}} Pending
 */

/**
 * @param {string} table
 * @param {string | null} token of the seat
 */
export function connect(table, token) {
  const snapshot = signal(/** @type {Snapshot | null} */ (null));
  const lines = signal(/** @type {Line[]} */ ([]));
  /** Whether the server has not answered for a while. */
  const stalled = signal(false);
  /** What the server said when it closed the connection. */
  const goodbye = signal(/** @type {Message | null} */ (null));
  /** Whether there is no such table. */
  const missing = signal(false);
  /** Why the host lets nobody, or not this visitor, stay at the table. */
  const expelled = signal(/** @type {Message | null} */ (null));
  /** Whether the opener of the table has removed this guest. */
  const removed = signal(false);
  /** What this browser found wrong with the deal. */
  const dealProblem = signal(/** @type {import("./dealing.js").DealProblem | undefined} */ (undefined));
  /** The latest hint that was asked for. */
  const hint = signal(/** @type {Hint | null} */ (null));

  /** @type {WebSocket | null} */
  let socket = null;
  let opening = 0; // when the socket was made
  const heart = heartbeat();
  let tries = 0;
  let closed = false;
  let paused = false;
  let downSince = Date.now();
  let commands = 0;
  /** @type {Snapshot | null} the latest snapshot, shown or not */
  let latest = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} shows a deal that takes longer */
  let showing;
  /** The part in a deal that was sent last, and the commitment of the last deal that is done. */
  let partSent = "";
  /** @type {string | undefined} */
  let dealSeen = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;
  /** @type {Map<string, Pending>} */
  const pending = new Map();
  const idPrefix = Math.random().toString(36).slice(2, 8);

  function open() {
    clearTimeout(retry);
    opening = Date.now();
    heart.reset();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const opened = (socket = new WebSocket(`${scheme}//${location.host}/ws/${encodeURIComponent(table)}`));
    opened.onopen = () => {
      if (opened.readyState !== WebSocket.OPEN) return; // it was closed before this event came
      const seen = snapshot.peek();
      const hello = {
        type: "hello",
        protocol: PROTOCOL,
        ...(token && { token }),
        ...(seen && { round: seen.table.round, at: seen.lines }),
      };
      opened.send(JSON.stringify(hello));
      for (const waiting of pending.values()) transmit(waiting);
      ping(true);
      const seat = justTaken(token);
      if (seat?.deal.phase === "commit") takePart(seat.you, seat.round, seat.deal);
    };
    opened.onmessage = (event) => {
      if (opened !== socket) return;
      heart.heard();
      if (event.data !== PONG) receive(JSON.parse(event.data));
    };
    opened.onclose = (event) => {
      if (opened !== socket) return;
      if (event.code === UNSUPPORTED_PROTOCOL) askToReload();
      else if (event.code === REMOVED) {
        removed.value = true;
        close();
      } else reconnect();
    };
  }

  /** Stop: the server is newer than this page. */
  function askToReload() {
    goodbye.value = { key: "page_outdated", values: {}, game: "" };
    stalled.value = true;
    close();
  }

  /** @param {any} message */
  function receive(message) {
    if (message.type === "paused") return showPause(message.message); // not a sign that reconnecting has helped
    downSince = 0;
    tries = 0;
    if (message.type === "snapshot") return takeSnapshot(message);
    if (message.type === "refused") return settle(message.id, message.message);
    if (message.type === "hint") {
      hint.value = message;
      return settle(message.id, null);
    }
    if (message.type === "notices") notices.value = message.notices;
    if (message.type === "bye") {
      goodbye.value = message.message;
      if (message.retry_after !== null) return reconnect(message.retry_after * 1000);
      expelled.value = message.message;
      close();
    }
  }

  /**
   * Say that what is shown may be old, until the next snapshot.
   * @param {Message} reason
   */
  function showPause(reason) {
    goodbye.value = reason;
    paused = stalled.value = true;
  }

  /** @param {Snapshot} next */
  function takeSnapshot(next) {
    goodbye.value = null;
    paused = stalled.value = false;
    latest = next;
    clearTimeout(showing);
    const { phase } = next.deal ?? { phase: "dealt" };
    if (next.deal && (phase !== "dealt" || dealSeen !== next.deal.commitment))
      takePart(next.you, next.table.round, next.deal, next.table.seats);
    dealSeen = phase === "dealt" ? next.deal?.commitment : "";
    if (phase === "commit" || phase === "reveal") showing = setTimeout(() => show(next), SHORT_DEAL);
    else show(next);
    for (const id of next.answers) settle(id, null);
  }

  /**
   * Do what a deal asks of this browser, and repeat it until the server has saved it.
   * @param {number | null} you
   * @param {number} round
   * @param {DealShown} deal
   * @param {Seat[]} [seats]
   */
  function takePart(you, round, deal, seats = []) {
    const asked = dealCommand(table, you, round, deal, you !== null && seats[you]?.stand_in);
    dealProblem.value = rememberDeal(table, you, round, deal).problem;
    const part = asked ? `${asked.type} ${round} ${asked.attempt} ${you}` : ""; // you: before the deal we may move
    const sent = partSent === part;
    partSent = part; // empty: saved or dropped; after somebody has left, the same part may be asked for again
    if (!asked || sent) return;
    const { type, ...more } = asked;
    void command(type, more).then((refusal) => {
      saveAnswer(table, you, asked, refusal);
      if (!refusal || !NOT_SAVED.includes(refusal.key)) return;
      partSent = "";
      setTimeout(() => {
        if (latest?.deal && !closed) takePart(latest.you, latest.table.round, latest.deal, latest.table.seats);
      }, DEAL_RETRY);
    });
  }

  /** @param {Snapshot} next */
  function show(next) {
    const shown = lines.peek();
    // Often there are no new lines; keeping the same list then spares its subscribers a render.
    if (next.log.lines.length || next.log.from !== shown.length)
      lines.value = [...shown.slice(0, next.log.from), ...next.log.lines];
    const before = snapshot.peek();
    if (before?.table.round !== next.table.round) hint.value = null;
    snapshot.value = next;
  }

  /**
   * @param {string} id
   * @param {Message | null} refusal
   */
  function settle(id, refusal) {
    pending.get(id)?.done(refusal);
    pending.delete(id);
  }

  /**
   * Close the socket and open another one after a pause.
   * @param {number} [wait] milliseconds, as the server asked
   */
  function reconnect(wait) {
    const old = socket;
    socket = null;
    old?.close();
    if (closed) return;
    downSince ||= Date.now();
    // Jitter: after a restart of the server not all clients come back in the same moment.
    const pause = wait ?? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.5 + Math.random());
    tries += 1;
    clearTimeout(retry);
    retry = setTimeout(open, pause);
    if (!snapshot.peek() && tries > 1) void checkTable();
  }

  /** Ask whether the table exists: a script does not learn why a handshake was refused. */
  async function checkTable() {
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

  /**
   * Send a command. The promise resolves to null when it is done, or to the message that says why it was refused.
   * @param {string} type
   * @param {object} [more]
   * @param {boolean} [slow]
   * @returns {Promise<Message | null>}
   */
  function command(type, more = {}, slow = false) {
    commands += 1;
    const id = `${idPrefix}${commands}`;
    return new Promise((done) => {
      const waiting = { command: { type, id, ...more }, sent: 0, slow, done };
      pending.set(id, waiting);
      transmit(waiting);
    });
  }

  /** @param {boolean} [atOnce] do not wait until a ping is due */
  function ping(atOnce = false) {
    if (socket?.readyState !== WebSocket.OPEN) return;
    const text = heart.ping(document.visibilityState === "hidden", atOnce);
    if (text) socket.send(text);
  }

  const checks = setInterval(() => {
    const now = Date.now();
    const oldest = Math.min(now, ...[...pending.values()].map((waiting) => (waiting.slow ? now : waiting.sent)));
    const silence = Math.max(now - oldest, heart.unanswered());
    stalled.value = paused || (downSince > 0 && now - downSince > SLOW) || silence > SLOW;
    if (socket?.readyState === WebSocket.OPEN && (now - oldest > DEAD || heart.dead())) reconnect(0);
    else if (socket?.readyState === WebSocket.CONNECTING && now - opening > DEAD) reconnect();
    else ping();
  }, CHECK_INTERVAL);

  /** Check the connection at once when the device is online again, or the page is shown or hidden. */
  function wake() {
    if (closed) return;
    if (socket?.readyState === WebSocket.OPEN) ping(true);
    else if (document.visibilityState === "visible") {
      tries = 0;
      reconnect(0);
    }
  }
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);

  function close() {
    closed = true;
    clearInterval(checks);
    clearTimeout(retry);
    clearTimeout(showing);
    removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", wake);
    socket?.close();
    socket = null;
  }

  open();
  const at = () => snapshot.peek()?.lines ?? 0;
  const round = () => snapshot.peek()?.table.round ?? 1;
  return {
    snapshot,
    lines,
    stalled,
    goodbye,
    missing,
    removed,
    dealProblem,
    expelled,
    hint,
    close,
    /**
     * Connect again, with the seat that was just taken.
     * @param {string | null} newToken
     */
    rejoin: (newToken) => {
      token = newToken;
      reconnect(0);
    },
    /** @param {string} move */
    act: (move) => command("move", { at: at(), round: round(), move }),
    undo: () => command("undo", { at: at(), round: round() }),
    /** @param {string} phrase */
    talk: (phrase) => command("say", { at: at(), round: round(), phrase }),
    /**
     * Vote about the seat of a player who is away; null withdraws the vote.
     * @param {number} seat
     * @param {Choice | null} choice
     */
    decide: (seat, choice) => command("absent", { seat, choice }),
    askHint: () => command("hint", {}, true),
    rematch: () => command("rematch"),
    leave: () => command("leave"),
    /**
     * Remove a person: whoever has this name, and not somebody who has taken the seat since.
     * @param {number} seat
     * @param {string} name
     */
    remove: (seat, name) => command("remove", { seat, name }),
    acknowledge: () => command("acknowledge"),
    /** The commands of the waiting room. */
    room: {
      /**
       * Give a free seat to a bot, or with null free a bot's seat.
       * @param {number} seat
       * @param {string | null} level
       */
      setBot: (seat, level) => command("bot", { seat, level }),
      /** @param {string | null} bots the level of the bots in the free seats; null to play without these seats */
      start: (bots) => command("start", { bots }),
      /**
       * @param {Options} options
       * @param {Clock | null} clock
       */
      configure: (options, clock) => command("configure", { options, clock }),
      /** @param {string} name */
      rename: (name) => command("rename", { name }),
      /**
       * @param {number} seat
       * @param {string} name of the person who is meant
       */
      handOver: (seat, name) => command("handover", { seat, name }),
      /**
       * Free the seat of a person, who may sit down again.
       * @param {number} seat
       * @param {string} name of the person who is meant
       */
      free: (seat, name) => command("remove", { seat, name, block: false }),
    },
  };
}

/** @typedef {ReturnType<typeof connect>} Connection */
