// The board of Face to Face: both players' piles and progress, and the player's hand.
import { html, useRef } from "../vendor/preact.js";
import { Backs, Deck, NumberCard, RowCard } from "../ui/card.js";
import { Hand, HiddenHand } from "../ui/hand.js";
import { useTravel } from "../ui/motion.js";
import { Pile, costTone } from "../ui/pile.js";
import { cardKeys, useCardPlay } from "../ui/play.js";
import { useRoom } from "../ui/room.js";
import { Actions, Avatar, Pips, Progress } from "../ui/seat.js";
import { PlayerName, seatColour } from "../table/seats.js";
import { loadStyles } from "../ui/styles.js";

await loadStyles("./face-to-face.css", import.meta.url);

/**
 * @typedef {import("../ui/pile.js").Prospect} Prospect
 * @typedef {"up" | "down" | "help-up" | "help-down"} PileName
 * @typedef {(key: string, values?: Record<string, any>) => string} GameText a sentence of this game's catalogue
 */

const GAME = "face-to-face";
const ALL = 58; // only for drawing: the server decides what may be laid
const FIRST = 1;
const LAST = 60;
/** In the order of the keys 1 to 4, as they lie on the table. */
const PILES = /** @type {PileName[]} */ (["help-up", "help-down", "up", "down"]);
/** Refusals with a short form for the narrow space on a pile. */
const SHORT = new Set([
  "too_low",
  "too_high",
  "too_low_no_trick",
  "too_high_no_trick",
  "must_improve_up",
  "must_improve_down",
  "nothing_to_improve",
  "one_help_per_turn",
  "leaves_no_second_card",
  "last_card_at_home",
]);

/**
 * Return the sentence that says what the match is waiting for.
 * @param {Snapshot} snapshot
 * @param {string[]} names
 * @param {Translate} t
 */
export function prompt(snapshot, names, t) {
  if (!snapshot.view) return t("board_dealing", {}, GAME);
  const { outcome, to_act: toAct, moves } = snapshot.view;
  const { required } = /** @type {FaceToFaceBoard} */ (snapshot.view.board);
  if (outcome) return t(outcome.key, { ...outcome.values, winner: outcome.winners[0] }, GAME);
  if (snapshot.you === null || !toAct.includes(snapshot.you)) {
    const seat = toAct.find((one) => one < names.length);
    return seat === undefined ? t("board_dealing", {}, GAME) : t("board_wait", { seat }, GAME);
  }
  if (required) return t("board_lay", { missing: required }, GAME);
  return t(moves.length > 1 ? "board_more_or_end" : "board_end_now", {}, GAME);
}

/**
 * Return a move in words.
 * @param {string} move
 * @param {Translate} t
 */
export function describeMove(move, t) {
  const [pile = "", card = ""] = move.split(" ");
  return t(`board_move_${pile.replace("-", "_")}`, { card }, GAME);
}

/**
 * Return the headline of a lost match, by the cards that both have left: close only near the end, and ahead only by
 * more than a turn.
 * @param {Snapshot} snapshot
 * @param {Translate} t
 */
export function headline({ view, you }, t) {
  const halves = /** @type {FaceToFaceBoard["halves"]} */ (view?.board.halves);
  const left = halves.map((half) => half.in_hand + half.in_deck);
  const own = Number(left[you ?? 0]);
  const lead = Number(left[you === 1 ? 0 : 1]) - own;
  const grade = lead >= 5 ? "ahead" : own <= 12 && lead >= -6 ? "close" : "other";
  return t("board_result", { grade }, GAME);
}

/**
 * Return the keys of this board, each with what it does.
 * @param {Snapshot} _
 * @param {Translate} t
 */
export const keys = (_, t) => cardKeys(PILES.length, t);

/**
 * Return a message without codes: a move that was taken back gets a sentence of its own.
 * @param {Message} message
 * @returns {Message}
 */
export function inWords(message) {
  const [pile = "", card] = message.key === "undone" ? String(message.values.move).split(" ") : [];
  if (!card) return message;
  const { seat } = message.values;
  return { key: `board_undone_${pile.replace("-", "_")}`, values: { seat, card }, game: GAME };
}

/**
 * @param {BoardProps} props
 */
export function Board(props) {
  return props.snapshot.view && html`<${Duel} ...${props} view=${props.snapshot.view} />`;
}

/**
 * @param {BoardProps & {view: View}} props
 */
function Duel(props) {
  const { snapshot, view, names, t } = props;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useRoom(frame);
  const near = snapshot.you ?? view.seat ?? 0; // the seat at the bottom
  const far = 1 - near;
  const { turn, halves } = /** @type {FaceToFaceBoard} */ (view.board);
  const hand = (halves[near].hand ?? []).map(String);
  const play = useCardPlay({ root, props, view, hand, piles: PILES });
  const { flying, picked } = play;

  /**
   * @param {PileName} pile
   * @returns {number} its top card, or the card laid there but not yet confirmed
   */
  const top = (pile) => {
    if (flying?.pile === pile) return Number(flying.card);
    const half = halves[pile.startsWith("help") ? far : near];
    return pile.endsWith("up") ? half.up : half.down;
  };
  useTravel(root, {
    hand: play.held,
    piles: Object.fromEntries(PILES.map((pile) => [pile, String(top(pile))])),
    turn,
    left: halves[0].in_hand + halves[0].in_deck + halves[1].in_hand + halves[1].in_deck - (flying ? 1 : 0),
  });

  const text = (/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) => t(key, values, GAME);
  /** @param {number} seat */
  const laid = (seat) => ALL - halves[seat].in_hand - halves[seat].in_deck + (flying && seat === near ? 1 : 0);

  /** @param {PileName} name */
  const pile = (name) => {
    const [side, seat] = name.startsWith("help")
      ? [/** @type {const} */ ("theirs"), far]
      : [/** @type {const} */ ("mine"), near];
    const way = name.endsWith("up") ? "up" : "down";
    const value = top(name);
    const used = way === "up" ? (value - FIRST) / (LAST - FIRST) : (LAST - value) / (LAST - FIRST);
    const ownership = side === "mine" && snapshot.you !== null ? "own" : "other";
    return html`<${Pile} key=${name} name=${name} way=${way} top=${String(value)} digit=${PILES.indexOf(name) + 1}
      label=${text(`board_${ownership}_${way}`, { seat, top: value })}
      draw=${(/** @type {string | undefined} */ place) => face(value, side, place)}
      foot=${html`<span class="gauge"><i style=${{ "--used": used }}></i></span>
        <span class="range">${way === "up" ? `${FIRST}–${LAST - 1}` : `${LAST}–${FIRST + 1}`}</span>`}
      prospect=${flying || !picked || !play.myTurn ? null : prospect(snapshot, `${name} ${picked}`, far, text)}
      over=${play.over === name} play=${play.play} />`;
  };

  /**
   * @param {number} seat
   * @param {"mine" | "theirs"} side
   */
  const head = (seat, side) => {
    const { in_hand, in_deck } = halves[seat];
    const state = view.outcome ? (view.outcome.winners.includes(seat) ? " won" : "") : turn === seat ? " active" : "";
    const cards = in_hand - (flying && seat === near ? 1 : 0);
    const seen = seat === near ? undefined : snapshot.views?.[seat]?.board.halves[seat].hand;
    const open = seen?.map((/** @type {number} */ card) => ({ text: String(card) }));
    return html`<header class=${`head${state}`}>
      <${Avatar} name=${names[seat] ?? "?"} colour=${seatColour(seat, near, names.length)}
        online=${snapshot.table.seats[seat]?.online ?? true} />
      <${PlayerName} name=${names[seat] ?? "?"} you=${seat === snapshot.you} />
      <${Progress} done=${laid(seat)} all=${ALL}
        label=${text("board_progress", { seat, laid: laid(seat), all: ALL })} />
      <${Backs} count=${cards} side=${side} place=${`seat:${seat}`} label=${text("board_in_hand", { seat, cards })}
        open=${open} />
      <${Deck} count=${in_deck} side=${side} place=${seat === near ? "deck" : undefined}
        label=${text("board_in_deck", { seat, cards: in_deck })} />
    </header>`;
  };

  const playable = new Set(view.moves.map((move) => move.split(" ")[1]));
  const cards = play.held.map((id) => ({
    id,
    label: text("board_card", { card: Number(id) }),
    face: html`<${NumberCard} value=${Number(id)} side="mine" />`,
    dead: play.myTurn && !flying && !playable.has(id),
  }));

  const over = view.outcome ? (view.outcome.winners.includes(near) ? " over won" : " over lost") : "";
  return html`<div class="duel-frame" ref=${frame}><div class=${`duel${picked ? " picking" : ""}${over}`} ref=${root}
    data-pending=${flying ? "" : null}>
    <section class="half theirs" aria-label=${text("board_half", { seat: far })}>
      ${head(far, "theirs")}
      <div class="piles">${pile("help-up")}${pile("help-down")}</div>
    </section>
    <section class="half mine" aria-label=${text("board_half", { seat: near })}>
      ${head(near, "mine")}
      <div class="piles">${pile("up")}${pile("down")}</div>
    </section>
    ${note(play, props)}
    ${
      halves[near].hand
        ? html`<${Hand} cards=${cards} picked=${picked} pick=${play.pick} waiting=${!play.myTurn}
          label=${text("board_hand")} />`
        : html`<${HiddenHand} count=${halves[near].in_hand} side="mine" />`
    }
    ${
      !play.idle &&
      !view.outcome &&
      html`<${Actions} undo=${{ label: text("board_undo"), off: !view.undoable, press: play.takeBack }}
        end=${endButton(play, snapshot, view, halves[near], text)} />`
    }
  </div></div>`;
}

/**
 * @param {number} value
 * @param {"mine" | "theirs"} side
 * @param {string | undefined} place
 */
function face(value, side, place) {
  if (value === FIRST)
    return html`<${RowCard} key=${place ?? "under"} from=${FIRST} to=${LAST - 1} side=${side} place=${place} />`;
  if (value === LAST)
    return html`<${RowCard} key=${place ?? "under"} from=${LAST} to=${FIRST + 1} side=${side} place=${place} />`;
  return html`<${NumberCard} key=${place ?? "under"} value=${value} side=${side} place=${place} />`;
}

/**
 * Return what a move would do, or why it is refused.
 * @param {Snapshot} snapshot
 * @param {string} move
 * @param {number} far
 * @param {GameText} text
 * @returns {Prospect | null}
 */
function prospect(snapshot, move, far, text) {
  const effect = snapshot.effects[move];
  if (effect?.helps) return { tone: "help", badge: "♥", hint: text("board_helps", { seat: far }) };
  if (effect && effect.steps < 0)
    return { tone: "trick", badge: `−${-effect.steps}`, hint: text("board_back", { steps: -effect.steps }) };
  if (effect)
    return {
      tone: costTone(effect.steps, LAST - FIRST),
      badge: `+${effect.steps}`,
      hint: text("board_costs", { steps: effect.steps }),
    };
  const why = snapshot.refusals[move];
  if (!why) return null;
  return {
    tone: "no",
    badge: "",
    hint: SHORT.has(why.key) ? text(`board_why_${why.key}`, why.values) : text(why.key, why.values),
  };
}

/**
 * The line above the hand: the cards laid and still required this turn, and what to do now or a refusal.
 * @param {ReturnType<typeof useCardPlay>} play
 * @param {BoardProps & {view: View}} props
 */
function note(play, { view, translate, t }) {
  const { refusal, picked, myTurn } = play;
  const board = /** @type {FaceToFaceBoard} */ (view.board);
  const laid = board.laid + (play.flying ? 1 : 0);
  const required = myTurn ? Math.max(0, board.required - (play.flying ? 1 : 0)) : 0;
  let words = required ? t("board_owe", { missing: required }, GAME) : "";
  if (refusal) words = translate(refusal);
  else if (picked && myTurn)
    words = t(play.fits(picked) ? "board_choose" : "board_fits_nowhere", { card: Number(picked) }, GAME);
  return html`<p class=${`note${refusal ? " refused" : ""}`}>
    ${myTurn && html`<${Pips} laid=${laid} required=${required} />`}
    <span>${words}</span>
  </p>`;
}

/**
 * The button that ends the turn: it says what follows or, while it is not possible, what is missing.
 * @param {ReturnType<typeof useCardPlay>} play
 * @param {Snapshot} snapshot
 * @param {View} view
 * @param {Half} half
 * @param {GameText} text
 */
function endButton(play, snapshot, view, half, text) {
  const board = /** @type {FaceToFaceBoard} */ (view.board);
  const { moves } = view;
  const possible = play.myTurn && moves.includes("end");
  const draws = snapshot.effects["end"]?.draws ?? board.draws;
  let small = "";
  if (possible && !draws) small = text("board_draw_none");
  else if (possible)
    small = board.helped ? text("board_refill", { draws, hand: half.in_hand + draws }) : text("board_draw", { draws });
  else if (play.myTurn && board.required) small = text("board_owe", { missing: board.required });
  return { label: text("board_end"), small, off: !possible, press: play.end };
}
