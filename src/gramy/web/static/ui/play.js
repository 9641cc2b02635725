// Laying cards: the picked card, the card laid but not yet confirmed, and the refusal. Face to Face and Quick & Easy
// share it. It knows no rule: legal moves, their effects and the reasons for refusals are in the snapshot.
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { useDrag } from "./drag.js";
import { shake } from "./motion.js";
import { useHighlight } from "./highlight.js";

/** @typedef {{card: string, pile: string, snapshot: Snapshot, answered: boolean}} Laying */

const CARD_FIRST = { key: "card_first", values: {}, game: "" };

/**
 * @param {object} options
 * @param {{current: HTMLElement | null}} options.root
 * @param {BoardProps} options.props
 * @param {View} options.view
 * @param {string[]} options.hand the open hand, as card names
 * @param {string[]} options.piles in the order of their number keys
 */
export function useCardPlay({ root, props, view, hand, piles }) {
  const { snapshot, act, undo, translate } = props;
  const idle = Boolean(props.replay) || snapshot.you === null; // a replay or a spectator
  const [picked, setPicked] = useState(/** @type {string | null} */ (null));
  const [laying, setLaying] = useState(/** @type {Laying | null} */ (null));
  const [queued, setQueued] = useState(/** @type {{card: string, pile: string} | null} */ (null));
  const [lastRefusal, setLastRefusal] = useState(/** @type {{message: Message, situation: string} | null} */ (null));
  const [over, setOver] = useState(/** @type {string | null} */ (null));
  const refocus = useRef(-1); // the position in the hand of the card that had the focus

  // A card is shown as laid until the answer is there: the card is out of the hand, or a newer snapshot still has it.
  const flying =
    laying && hand.includes(laying.card) && !(laying.answered && laying.snapshot !== snapshot) ? laying : null;
  const held = flying ? hand.filter((card) => card !== flying.card) : hand;
  const chosen = picked !== null && held.includes(picked) ? picked : null;
  const myTurn = !idle && view.to_act.includes(snapshot.you ?? -1);
  // A refusal is true of one situation only: it goes when the moves of others change that.
  const situation = useRef("");
  situation.current = [view.to_act, view.moves, Boolean(view.outcome)].join(" ");
  const refusal = lastRefusal?.situation === situation.current ? lastRefusal.message : null;
  const setRefusal = (/** @type {Message | null} */ message) =>
    setLastRefusal(message && { message, situation: situation.current });

  /** @param {string} name */
  const pileElement = (name) => root.current?.querySelector(`[data-pile="${name}"]`);

  /**
   * @param {Message} message
   * @param {Element | null | undefined} element
   */
  const refuse = (message, element) => {
    setRefusal(message);
    announce(translate(message));
    shake(element);
  };
  const waitMessage = () => {
    const seat = view.to_act.find((one) => one < snapshot.table.seats.length); // the dealer is no player
    return seat === undefined
      ? { key: "wait_for_the_deal", values: {}, game: "" }
      : { key: "board_wait", values: { seat }, game: view.game };
  };
  /** Return why the player cannot act now; null if they can. */
  const cannotAct = () => {
    if (view.outcome) return { key: "match_over", values: {}, game: "" };
    return myTurn ? null : waitMessage();
  };

  /** @param {string | null} card */
  const pick = (card) => {
    if (idle) return;
    setPicked(card);
    setRefusal(null);
  };

  /**
   * @param {string} pile
   * @param {string} card
   */
  const lay = async (pile, card) => {
    const move = `${pile} ${card}`;
    const element = pileElement(pile);
    const reason = cannotAct();
    if (reason) return refuse(reason, element);
    if (flying) return setQueued({ card, pile }); // its legal moves are not known before the answer
    if (!view.moves.includes(move) && snapshot.refusals[move]) return refuse(snapshot.refusals[move], element);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    refocus.current = focused?.dataset.card || focused?.dataset.pile ? hand.indexOf(card) : -1;
    const attempt = { card, pile, snapshot, answered: false };
    setLaying(attempt);
    setPicked(null);
    setRefusal(null);
    const refused = await act(move);
    if (refused) {
      setLaying(null);
      setPicked(card);
      refuse(refused, pileElement(pile));
    } else {
      setLaying((now) => (now === attempt ? { ...attempt, answered: true } : now));
    }
  };

  /** @param {string} pile */
  const play = (pile) => {
    if (idle) return;
    if (chosen !== null) return lay(pile, chosen);
    const first = view.moves.includes("start") ? { key: "start_first", values: {}, game: view.game } : CARD_FIRST;
    return refuse(cannotAct() ?? first, root.current?.querySelector(".hand"));
  };

  /**
   * @param {string} name of a button
   * @param {Message | undefined} reason why it is not possible
   * @param {() => Promise<Message | null>} command
   */
  const press = async (name, reason, command) => {
    const refused = cannotAct() ?? reason ?? (await command());
    if (refused) refuse(refused, root.current?.querySelector(`[data-button="${name}"]`));
    else setRefusal(null);
  };
  const end = () => {
    setPicked(null);
    return press("end", view.moves.includes("end") ? undefined : snapshot.refusals["end"], () => act("end"));
  };
  const start = () => press("start", undefined, () => act("start"));
  const takeBack = () => {
    const nothing = { key: "nothing_to_undo", values: {}, game: "" };
    return press("undo", view.undoable ? undefined : nothing, undo);
  };

  useEffect(() => {
    if (!queued || flying) return;
    setQueued(null);
    if (hand.includes(queued.card)) lay(queued.pile, queued.card);
  });

  useLayoutEffect(() => {
    const at = refocus.current;
    if (at < 0) return;
    refocus.current = -1;
    const cards = /** @type {NodeListOf<HTMLElement>} */ (root.current?.querySelectorAll("[data-card]"));
    const next = cards[Math.min(at, cards.length - 1)] ?? root.current?.querySelector('[data-button="end"]');
    /** @type {HTMLElement | undefined} */ (next)?.focus({ preventScroll: true });
  });

  useHighlight(root, selectorFor(props.hint?.moves[0]?.[0]), snapshot);

  useDrag(root, {
    takes: (card, pile) => !flying && view.moves.includes(`${pile} ${card}`),
    over: setOver,
    drop: (card, pile) => lay(pile, card),
  });

  // Keys work wherever the focus is, except in text fields and dialogs.
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
    else if (key === "s" && view.moves.includes("start")) start();
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

  /**
   * Return whether a card may be laid somewhere. While another one is being laid, this is not known.
   * @param {string} card
   */
  const fits = (card) => flying !== null || view.moves.some((move) => move.endsWith(` ${card}`));

  return { held, flying, picked: chosen, idle, myTurn, refusal, over, fits, pick, play, end, start, takeBack };
}

/**
 * Return the keys of a board with cards and piles, each with what it does.
 * @param {number} piles
 * @param {Translate} t
 * @returns {[string, string][]}
 */
export const cardKeys = (piles, t) => [
  ["← →", t("key_choose")],
  ["Enter", t("key_pick")],
  [piles === 2 ? "1 2" : `1 – ${piles}`, t("key_pile")],
  ["E", t("key_end")],
  ["U", t("key_undo")],
];

/** @param {HTMLElement | null} root */
function focusHand(root) {
  /** @type {HTMLElement | null | undefined} */ (root?.querySelector('[data-card][tabindex="0"]'))?.focus();
}

/**
 * Return a selector for what to touch to make a move.
 * @param {string | undefined} move
 */
function selectorFor(move) {
  const [pile, card] = move?.split(" ") ?? [];
  if (!card) return pile ? `[data-button="${pile}"]` : null;
  return `[data-card="${card}"], [data-pile="${pile}"]`;
}
