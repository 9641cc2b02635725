// What the player does: turning cards, picking a bid, sending moves, and where the focus goes afterwards.
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { countFaces, findBid, nearestBid, parseBids } from "./gra-bids.js";
import { useTurned } from "./gra-hand.js";
import { pickByKey } from "./gra-picker.js";

/** @typedef {import("./gra-bids.js").Pick} Pick */
/** @typedef {{current: HTMLElement | null}} Root */

/**
 * @param {object} options
 * @param {Snapshot} options.snapshot
 * @param {View} options.view
 * @param {BoardProps["act"]} options.act
 * @param {boolean} options.replay
 * @param {boolean} options.busy whether a reveal is shown
 * @param {string} options.deal changes with every new hand
 * @param {Root} options.root
 * @param {Hint | null} [options.hint]
 */
export function useGraPlay({ snapshot, view, act, replay, busy, deal, root, hint }) {
  const { board } = view;
  const { you } = snapshot;
  const turned = useTurned(deal, board.hand, replay || board.phase !== "choosing");
  const { sent, refused, send } = useSending(snapshot, act);

  const move = `choose ${turned.faces.join(" ")}`;
  const choosing = !replay && board.phase === "choosing" && view.moves.length > 0;
  const ready = choosing && board.ready.includes(you);
  const confirmed = choosing && (sent === move || (ready && !view.moves.includes(move)));

  const [picked, choose] = useState(/** @type {Pick | null} */ (null));
  const bids = parseBids(view.moves);
  const bidding = !replay && board.phase === "bidding" && !sent && view.moves.length > 0;
  const held = (/** @type {number} */ value) => countFaces(board.hand?.faces ?? [], value, board.ones_are_jokers);
  // A bid cannot be true if even all cards of the others would not be enough.
  const hidden = board.in_play - (board.hand?.cards.length ?? 0);
  const possible = (/** @type {{number: number, value: number}} */ bid) => bid.number <= held(bid.value) + hidden;
  const pick = nearestBid(bids, picked, held, possible);
  useEffect(() => {
    if (!bidding) choose(null);
  }, [bidding]); // each turn starts with the value held most
  const hinted = hint?.moves[0]?.[0] ?? "";
  const wanted = hinted.startsWith("choose") ? hinted.split(" ").slice(1).map(Number) : null;
  useEffect(() => {
    const [bid] = parseBids([hinted]);
    if (bid) choose(bid);
  }, [hint]);

  const confirm = () => {
    if (!confirmed) send(move);
  };
  const bid = () => {
    if (pick) send(findBid(bids, pick)?.move ?? "");
  };

  /**
   * @param {string} key
   * @param {boolean} free whether no button has the focus
   * @returns {boolean} whether the key was used
   */
  const handleKey = (key, free) => {
    const next = bidding && pick ? pickByKey(key, bids, pick) : undefined;
    if (choosing && turned.faces[Number(key) - 1]) turned.turn(Number(key) - 1);
    else if (choosing && key === "Enter" && free) confirm();
    else if (next) choose(next);
    else if (bidding && key === "c" && view.moves.includes("check")) send("check");
    else if (bidding && key === "Enter" && free && pick && (picked || possible(pick))) bid();
    else if (key === "s" && view.moves.includes("start")) send("start");
    else return false;
    return true;
  };
  useBoardKeys(handleKey, busy);
  useKeepFocus(root, `${board.phase} ${bidding} ${busy}`);
  // After a correction the refusal is no longer about what is chosen.
  const chosen = choosing ? move : pick && findBid(bids, pick)?.move;
  return {
    sent,
    refusal: refused && (refused.move === "check" || refused.move === chosen) ? refused.message : null,
    send,
    turned,
    choosing,
    ready,
    confirmed,
    confirm,
    bids,
    pick,
    choose,
    bidding,
    held,
    possible,
    wanted,
  };
}

/**
 * Send one move at a time, and keep the refused one until the log has changed.
 * @param {Snapshot} snapshot
 * @param {BoardProps["act"]} act
 */
function useSending(snapshot, act) {
  const [sending, setSending] = useState(/** @type {{move: string, lines: number} | null} */ (null));
  const [refused, setRefused] = useState(/** @type {{message: Message, move: string, lines: number} | null} */ (null));
  const sent = sending?.lines === snapshot.lines ? sending.move : null;
  /** @param {string} move */
  const send = async (move) => {
    if (sent || !move) return;
    const attempt = { move, lines: snapshot.lines };
    setRefused(null);
    setSending(attempt);
    const message = await act(move);
    if (message) setRefused({ message, ...attempt });
    setSending((now) => (now === attempt ? null : now));
  };
  return { sent, send, refused: refused?.lines === snapshot.lines ? refused : null };
}

/**
 * Keys work wherever the focus is, except in text fields and dialogs.
 * @param {(key: string, free: boolean) => boolean} handleKey
 * @param {boolean} busy
 */
function useBoardKeys(handleKey, busy) {
  const latest = useRef(handleKey);
  latest.current = busy ? () => false : handleKey;
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const onKeyDown = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest("input, select, textarea, [contenteditable]")) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (latest.current(key, !target.closest("button, a"))) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

/**
 * When the focused control is removed, the focus moves to the board instead of the page.
 * @param {Root} root
 * @param {string} moment changes when controls come or go
 */
function useKeepFocus(root, moment) {
  const inside = useRef(false);
  useLayoutEffect(() => {
    if (inside.current && document.activeElement === document.body) root.current?.focus({ preventScroll: true });
  }, [moment]);
  useEffect(() => {
    const onFocusIn = (/** @type {FocusEvent} */ event) => {
      inside.current = event.target instanceof Node && (root.current?.contains(event.target) ?? false);
    };
    addEventListener("focusin", onFocusIn);
    return () => removeEventListener("focusin", onFocusIn);
  }, []);
}
