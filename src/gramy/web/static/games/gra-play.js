/* What the player does, by hand or by key: turning cards, picking a bid, sending moves, and where the focus goes after. */
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { found, holding, nearest, offers } from "./gra-bids.js";
import { useTurned } from "./gra-hand.js";
import { keyed } from "./gra-picker.js";

/** @typedef {import('./gra-bids.js').Pick} Pick */
/** @typedef {{current: HTMLElement | null}} Root */

/**
 * @param {{snapshot: Snapshot, view: View, act: BoardProps['act'], replay: boolean, busy: boolean, deal: string, root: Root, hint?: Hint | null}} given
 * `busy` while a reveal is on stage; `deal` changes with every new hand
 */
export function usePlay({ snapshot, view, act, replay, busy, deal, root, hint }) {
  const { board } = view;
  const { you } = snapshot;
  const turned = useTurned(deal, board.hand, replay || board.phase !== "choosing");
  const { sent, refusal, send } = useSending(snapshot, act);

  const move = `choose ${turned.faces.join(" ")}`;
  const choosing = !replay && board.phase === "choosing" && view.moves.length > 0;
  const ready = choosing && board.ready.includes(you);
  const confirmed = choosing && (sent === move || (ready && !view.moves.includes(move)));

  const [picked, choose] = useState(/** @type {Pick | null} */ (null));
  const all = offers(view.moves);
  const bidding = !replay && board.phase === "bidding" && !sent && view.moves.length > 0;
  const held = (/** @type {number} */ value) => holding(board.hand?.faces ?? [], value, board.ones_are_jokers);
  const pick = nearest(all, picked, held);
  useEffect(() => {
    if (!bidding) choose(null);
  }, [bidding]); // each turn begins with what the hand suggests
  const advised = hint?.moves[0]?.[0] ?? "";
  const wanted = advised.startsWith("choose") ? advised.split(" ").slice(1).map(Number) : null;
  useEffect(() => {
    const [bid] = offers([advised]);
    if (bid) choose(bid);
  }, [hint]);

  const confirm = () => {
    if (!confirmed) send(move);
  };
  const bid = () => {
    if (pick) send(found(all, pick)?.move ?? "");
  };

  /** @param {string} key @param {boolean} free whether no button has the focus @returns {boolean} whether the key meant something */
  const hear = (key, free) => {
    const next = bidding && pick ? keyed(key, all, pick) : undefined;
    if (choosing && turned.faces[Number(key) - 1]) turned.turn(Number(key) - 1);
    else if (choosing && key === "Enter" && free) confirm();
    else if (next) choose(next);
    else if (bidding && key === "c" && view.moves.includes("check")) send("check");
    else if (bidding && key === "Enter" && free) bid();
    else return false;
    return true;
  };
  useKeys(hear, busy);
  useFocusKept(root, `${board.phase} ${bidding} ${busy}`);
  return { sent, refusal, send, turned, choosing, ready, confirmed, confirm, all, pick, choose, bidding, held, wanted };
}

/**
 * Sends one move at a time, and keeps why it was refused until the table has changed.
 * @param {Snapshot} snapshot @param {BoardProps['act']} act
 */
function useSending(snapshot, act) {
  const [sending, setSending] = useState(/** @type {{move: string, lines: number} | null} */ (null));
  const [refused, setRefused] = useState(/** @type {{message: Message, lines: number} | null} */ (null));
  const sent = sending?.lines === snapshot.lines ? sending.move : null;
  /** @param {string} move */
  const send = async (move) => {
    if (sent || !move) return;
    const mark = { move, lines: snapshot.lines };
    setRefused(null);
    setSending(mark);
    const message = await act(move);
    if (message) setRefused({ message, lines: mark.lines });
    setSending((now) => (now === mark ? null : now));
  };
  return { sent, send, refusal: refused?.lines === snapshot.lines ? refused.message : null };
}

/**
 * Keys work wherever the focus is on the page, except where somebody writes or a dialog is open.
 * @param {(key: string, free: boolean) => boolean} hear @param {boolean} busy
 */
function useKeys(hear, busy) {
  const latest = useRef(hear);
  latest.current = busy ? () => false : hear;
  useEffect(() => {
    /** @param {KeyboardEvent} press */
    const listen = (press) => {
      if (
        press.defaultPrevented ||
        press.ctrlKey ||
        press.metaKey ||
        press.altKey ||
        document.querySelector("dialog[open]")
      )
        return;
      const target = press.target instanceof Element ? press.target : document.body;
      if (target.closest("input, select, textarea, [contenteditable]")) return;
      const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
      if (latest.current(key, !target.closest("button, a"))) press.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/**
 * When the control that had the focus goes away, the focus stays on the board instead of falling back to the page.
 * @param {Root} root @param {string} moment changes when controls come or go
 */
function useFocusKept(root, moment) {
  const inside = useRef(false);
  useLayoutEffect(() => {
    if (inside.current && document.activeElement === document.body) root.current?.focus({ preventScroll: true });
  }, [moment]);
  useEffect(() => {
    const watch = (/** @type {FocusEvent} */ event) => {
      inside.current = event.target instanceof Node && (root.current?.contains(event.target) ?? false);
    };
    addEventListener("focusin", watch);
    return () => removeEventListener("focusin", watch);
  }, []);
}
