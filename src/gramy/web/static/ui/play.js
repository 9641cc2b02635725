// Laying cards: what is picked, what has been laid but not yet confirmed, and what was refused. Both card games share it.
// Nothing here knows a rule: what is offered, what it costs and why not are all in the snapshot.
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { useDrag } from "./drag.js";
import { shake } from "./motion.js";
import { usePointer } from "./pointer.js";

/** @typedef {{card: string, pile: string, snapshot: Snapshot, answered: boolean}} Laying */

/**
 * @param {object} options
 * @param {{current: HTMLElement | null}} options.root
 * @param {BoardProps} options.props
 * @param {View} options.view
 * @param {string[]} options.hand the open hand, as card names
 * @param {string[]} options.piles in the order of their number keys
 */
export function usePlay({ root, props, view, hand, piles }) {
  const { snapshot, act, undo, say } = props;
  const idle = Boolean(props.replay) || snapshot.you === null; // only looking
  const [picked, setPicked] = useState(/** @type {string | null} */ (null));
  const [laying, setLaying] = useState(/** @type {Laying | null} */ (null));
  const [wanted, setWanted] = useState(/** @type {{card: string, pile: string} | null} */ (null));
  const [refusal, setRefusal] = useState(/** @type {Message | null} */ (null));
  const [over, setOver] = useState(/** @type {string | null} */ (null));
  const refocus = useRef(-1); // where in the hand the focus was when its card left

  // A card laid is shown as laid until the answer is on the screen: it is in no hand any more, or a newer snapshot says otherwise.
  const flying =
    laying && hand.includes(laying.card) && !(laying.answered && laying.snapshot !== snapshot) ? laying : null;
  const held = flying ? hand.filter((card) => card !== flying.card) : hand;
  const chosen = picked !== null && held.includes(picked) ? picked : null;
  const mine = !idle && view.to_act.includes(snapshot.you ?? -1);

  /** @param {string} name */
  const pileElement = (name) => root.current?.querySelector(`[data-pile="${name}"]`);

  /** @param {Message} message @param {Element | null | undefined} where */
  const refuse = (message, where) => {
    setRefusal(message);
    announce(say(message));
    shake(where);
  };
  const notYet = () => {
    const seat = view.to_act.find((one) => one < snapshot.table.seats.length); // the dealer sits beyond the last seat
    return seat === undefined
      ? { key: "wait_for_the_deal", values: {}, game: "" }
      : { key: "board_wait", values: { seat }, game: view.game };
  };
  /** The reasons why the seat cannot act at all now; null when it can. */
  const barred = () => (view.outcome ? { key: "match_over", values: {}, game: "" } : mine ? null : notYet());

  /** @param {string | null} card */
  const pick = (card) => {
    if (idle) return;
    setPicked(card);
    setRefusal(null);
  };

  /** @param {string} pile @param {string} card */
  const lay = async (pile, card) => {
    const move = `${pile} ${card}`;
    const where = pileElement(pile);
    const bar = barred();
    if (bar) return refuse(bar, where);
    if (flying) return setWanted({ card, pile }); // one after the other: what this one may do is not known yet
    if (!view.moves.includes(move) && snapshot.refusals[move]) return refuse(snapshot.refusals[move], where);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    refocus.current = focused?.dataset.card || focused?.dataset.pile ? hand.indexOf(card) : -1;
    const mark = { card, pile, snapshot, answered: false };
    setLaying(mark);
    setPicked(null);
    setRefusal(null);
    const answer = await act(move);
    if (answer) {
      setLaying(null);
      setPicked(card);
      refuse(answer, pileElement(pile));
    } else {
      setLaying((now) => (now === mark ? { ...mark, answered: true } : now));
    }
  };

  /** @param {string} pile */
  const play = (pile) => {
    if (idle) return;
    if (chosen !== null) lay(pile, chosen);
    else shake(root.current?.querySelector(".hand"));
  };

  /** @param {string} name of a button @param {Message | undefined} why it is not possible @param {() => Promise<Message | null>} go */
  const press = async (name, why, go) => {
    const answer = barred() ?? why ?? (await go());
    if (answer) refuse(answer, root.current?.querySelector(`[data-button="${name}"]`));
    else setRefusal(null);
  };
  const end = () => {
    setPicked(null);
    return press("end", view.moves.includes("end") ? undefined : snapshot.refusals["end"], () => act("end"));
  };
  const takeBack = () => {
    const nothing = { key: "nothing_to_undo", values: {}, game: "" };
    return press("undo", view.undoable ? undefined : nothing, undo);
  };

  useEffect(() => {
    if (!wanted || flying) return;
    setWanted(null);
    if (hand.includes(wanted.card)) lay(wanted.pile, wanted.card);
  });

  useLayoutEffect(() => {
    const at = refocus.current;
    if (at < 0) return;
    refocus.current = -1;
    const cards = /** @type {NodeListOf<HTMLElement>} */ (root.current?.querySelectorAll("[data-card]"));
    const next = cards[Math.min(at, cards.length - 1)] ?? root.current?.querySelector('[data-button="end"]');
    /** @type {HTMLElement | undefined} */ (next)?.focus({ preventScroll: true });
  });

  usePointer(root, whereFor(props.hint?.moves[0]?.[0]), snapshot);

  useDrag(root, {
    takes: (card, pile) => !flying && view.moves.includes(`${pile} ${card}`),
    over: setOver,
    drop: (card, pile) => lay(pile, card),
  });

  // Keys work wherever the focus is on the page, except where somebody writes.
  const onKey = useRef(/** @type {(event: KeyboardEvent) => void} */ (() => {}));
  onKey.current = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (
      target.closest?.("input, textarea, select, dialog, [contenteditable]") ||
      document.querySelector("dialog[open]")
    )
      return;
    if (idle) return;
    const pile = piles[Number(event.key) - 1];
    const key = event.key.toLowerCase();
    if (pile) play(pile);
    else if (key === "e") end();
    else if (key === "u") takeBack();
    else if (key === "escape" && chosen !== null) pick(null);
    else if ((key === "arrowleft" || key === "arrowright") && !target.closest?.("button, a")) focusHand(root.current);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => onKey.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  return { held, flying, picked: chosen, idle, mine, refusal, over, pick, play, end, takeBack };
}

/** @param {HTMLElement | null} root */
function focusHand(root) {
  /** @type {HTMLElement | null | undefined} */ (root?.querySelector('[data-card][tabindex="0"]'))?.focus();
}

/** What to touch for a move, as a selector. @param {string | undefined} move */
function whereFor(move) {
  const [pile, card] = move?.split(" ") ?? [];
  if (!card) return pile ? `[data-button="${pile}"]` : null;
  return `[data-card="${card}"], [data-pile="${pile}"]`;
}
