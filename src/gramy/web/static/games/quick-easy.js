// The board of Quick & Easy: two common piles, the partners, the player's cards, and the table talk.
import { html, useMemo, useRef } from "../vendor/preact.js";
import { t as translateKey } from "../text.js";
import { Backs, COLOURS, ColourCard, Deck, StartCard, Symbol } from "../ui/card.js";
import { lazy } from "../table/lazy.js";
import { Hand, HiddenHand } from "../ui/hand.js";
import { useTravel } from "../ui/motion.js";
import { Pile, costTone } from "../ui/pile.js";
import { cardKeys, useCardPlay } from "../ui/play.js";
import { useRoom } from "../ui/room.js";
import { Actions, Avatar, Pips } from "../ui/seat.js";
import { seatColour } from "../table/seats.js";
import { loadStyles } from "../ui/styles.js";
import { Bubbles, room, standingPhrases } from "./quick-easy-said.js";

await loadStyles(["./quick-easy.css", "./quick-easy-layout.css"], import.meta.url);

/**
 * @typedef {import("../ui/pile.js").Prospect} Prospect
 * @typedef {"up" | "down"} PileName
 * @typedef {(key: string, values?: Record<string, any>) => string} GameText a sentence of this game's catalogue
 */

const GAME = "quick-easy";
const Talk = lazy(() => import("./quick-easy-talk.js"), "Talk");
const ALL = 50; // only for drawing the progress
const RANGE = 10; // of the numbers, only for the colour of a cost
const PILES = /** @type {PileName[]} */ (["up", "down"]);
/** Refusals with a short form for the narrow space on a pile. */
const SHORT = new Set(["too_low", "too_high", "only_colour", "two_cards_laid", "one_card_in_pro", "start_first"]);

/**
 * Return the sentence that says what the match is waiting for.
 * @param {Snapshot} snapshot
 * @param {string[]} names
 * @param {Translate} t
 */
export function prompt(snapshot, names, t) {
  if (!snapshot.view) return t("board_dealing", {}, GAME);
  const { outcome, to_act: toAct, moves, options } = snapshot.view;
  if (outcome) return t(outcome.key, outcome.values, GAME);
  if (moves.includes("start")) return t("board_start_prompt", {}, GAME);
  if (snapshot.you === null || !toAct.includes(snapshot.you)) {
    if (toAct.length > 1) return t("board_start_wait", {}, GAME);
    const seat = toAct.find((one) => one < names.length);
    return seat === undefined ? t("board_dealing", {}, GAME) : t("board_wait", { seat }, GAME);
  }
  if (!moves.includes("end")) return t(options.pro === "on" ? "board_lay_pro" : "board_lay", {}, GAME);
  return t(moves.length > 1 ? "board_more_or_end" : "board_end_now", {}, GAME);
}

/**
 * Return the headline of a lost match, by how far the team came. The rulebook has no scale of its own (Q15).
 * @param {Snapshot} snapshot
 * @param {Translate} t
 */
export function headline({ view }, t) {
  const missing = ALL - Number(view?.outcome?.values.laid ?? 0);
  const grade = missing <= 3 ? "so_close" : missing <= 10 ? "nearly" : missing <= 25 ? "half_way" : "far_off";
  return t("board_result", { grade }, GAME);
}

/**
 * Draw a card within a sentence: "G8" as a little green card.
 * @param {string} card
 */
export function inlineCard(card) {
  const colour = COLOURS[/** @type {keyof typeof COLOURS} */ (card[0])];
  const number = Number(card.slice(1));
  return html`<span class=${`inline-card ${colour}`} aria-hidden="true"><${Symbol} colour=${colour} />${number}</span>
    <span class="sr">${cardAsObject(card)}</span>`;
}

/**
 * Return a card as the object of a sentence: "G8" is "the green 8".
 * @param {string} card
 */
const cardAsObject = (card) => cardText(card, (key, values) => translateKey(`${key}_laid`, values, GAME));

/**
 * Return the card that an event names: laid, or taken back.
 * @param {Message} event
 */
export const cardIn = ({ key, values }) =>
  key === "laid" ? String(values.card) : key === "undone" ? String(values.move).split(" ")[1] : undefined;

/**
 * Return a message with cards in words instead of codes.
 * @param {Message} message
 * @returns {Message}
 */
export function inWords(message) {
  const { key, values } = message;
  const subject = cardIn(message);
  if (key === "undone" && subject) {
    const [pile] = String(values.move).split(" ");
    return { key: `board_undone_${pile}`, values: { seat: values.seat, card: cardAsObject(subject) }, game: GAME };
  }
  const words = { ...values };
  if (subject) words.card = cardAsObject(subject);
  else if (isCard(values.card)) words.card = cardText(values.card, (name, about) => translateKey(name, about, GAME));
  if (isCard(values.top)) words.top = cardAsObject(values.top);
  if (isCard(values.kept)) words.kept = cardAsObject(values.kept);
  return { ...message, values: words };
}

/**
 * @param {unknown} value
 * @returns {value is string}
 */
const isCard = (value) => typeof value === "string" && /^[RBGYS](10|[1-9])$/.test(value);

/**
 * Return a move in words.
 * @param {string} move
 * @param {Translate} t
 */
export function describeMove(move, t) {
  const [pile = "", card = ""] = move.split(" ");
  return t(
    `board_move_${pile.replace("-", "_")}`,
    { card: card && cardText(card, (key, values) => t(key, values, GAME)) },
    GAME,
  );
}

/**
 * Return the keys of this board, each with what it does.
 * @param {Snapshot} _
 * @param {Translate} t
 */
export const keys = (_, t) => [...cardKeys(PILES.length, t), ["S", t("board_key_start", {}, GAME)]];

/**
 * @param {BoardProps} props
 */
export function Board(props) {
  const translate = (/** @type {Message} */ message) => props.translate(inWords(message));
  return props.snapshot.view && html`<${Team} ...${props} translate=${translate} view=${props.snapshot.view} />`;
}

/**
 * @param {BoardProps & {view: View}} props
 */
function Team(props) {
  const { snapshot, view, names, lines, t, talk } = props;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useRoom(frame);
  const board = /** @type {QuickEasyBoard} */ (view.board);
  const near = snapshot.you ?? view.seat ?? 0; // the seat at the bottom
  const hand = board.hand ?? [];
  const play = useCardPlay({ root, props, view, hand, piles: PILES });
  const { flying, picked } = play;
  const text = (/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) => t(key, values, GAME);

  /**
   * @param {PileName} pile
   * @returns {string | null} its top card, or the card laid there but not yet confirmed
   */
  const top = (pile) => (flying?.pile === pile ? flying.card : board[pile]);
  const left = board.in_deck + board.in_hand.reduce((sum, cards) => sum + cards, 0) - (flying ? 1 : 0);
  useTravel(root, { hand: play.held, piles: { up: top("up") ?? "", down: top("down") ?? "" }, turn: board.turn, left });

  /** @param {PileName} name */
  const pile = (name) => {
    const card = top(name);
    return html`<${Pile} key=${name} name=${name} way=${name} top=${card ?? ""} digit=${PILES.indexOf(name) + 1}
      label=${card ? text(`board_pile_${name}`, { card: cardText(card, text) }) : text(`board_empty_${name}`)}
      draw=${(/** @type {string | undefined} */ place) => face(card, name, place)}
      foot=${html`<span>${text(`board_${name}`)}</span>`}
      prospect=${flying || !picked || !play.myTurn ? null : prospect(snapshot, `${name} ${picked}`, text)}
      over=${play.over === name} play=${play.play} />`;
  };

  const spoken = useMemo(() => standingPhrases(lines), [lines]);
  /** @param {number} seat */
  const partner = (seat) => {
    const cards = board.in_hand[seat];
    const on = board.turn === seat && !view.outcome ? " active" : "";
    return html`<li key=${seat} class=${`partner${on}`}>
      <${Avatar} name=${names[seat] ?? "?"} colour=${seatColour(seat, near, names.length)}
        online=${snapshot.table.seats[seat]?.online ?? true} />
      <b class="name">${names[seat]}</b>
      <${Backs} count=${cards} side="common" place=${`seat:${seat}`} label=${text("board_in_hand", { seat, cards })}
        open=${openly(snapshot.views?.[seat]?.board.hand, text)} />
      <${Bubbles} said=${spoken.get(seat) ?? []} seat=${seat} t=${t} />
    </li>`;
  };
  const others = names.map((_, step) => (near + step) % names.length).slice(1); // clockwise from the left

  const starting = view.moves.includes("start");
  const playable = new Set(view.moves.map((move) => move.split(" ")[1]));
  const cards = play.held.map((id) => ({
    id,
    label: cardText(id, text),
    face: html`<${ColourCard} name=${id} />`,
    dead: play.myTurn && !starting && !flying && !playable.has(id),
  }));
  const saidByMe = spoken.get(near) ?? [];
  const bubbles = saidByMe.length > 0 && html`<${Bubbles} said=${saidByMe} seat=${near} t=${t} />`;
  // A spectator has no hand of their own: the one at the bottom needs its owner's name.
  const own = snapshot.you === null && !props.replay ? html`<b class="name">${names[near]}</b> ${bubbles}` : bubbles;
  const rooms = others.map((seat) => room(spoken.get(seat) ?? []));
  const most = { "--phrase-rows": 1, "--phrase-lines": 2 };
  for (const { rows, lines: needed } of rooms) {
    most["--phrase-rows"] = Math.max(most["--phrase-rows"], rows);
    most["--phrase-lines"] = Math.max(most["--phrase-lines"], needed);
  }
  const over = view.outcome ? (view.outcome.winners.length ? " over won" : " over lost") : "";

  return html`<div class="team-frame" ref=${frame}><div class=${`team${over}`} ref=${root}
    style=${most} data-pending=${flying ? "" : null}>
    <ul class="partners" data-partners=${others.length} aria-label=${text("board_partners")}>${others.map(partner)}</ul>
    <div class="middle">
      ${pile("up")}
      <div class="road">
        <span class="ring" role="img" aria-label=${text("board_progress", { laid: ALL - left, all: ALL })}
          style=${{ "--done": (ALL - left) / ALL }}>
          <b>${ALL - left}</b><small>/${ALL}</small>
        </span>
        <${Deck} count=${board.in_deck} side="common" place="deck"
          label=${text("board_in_deck", { cards: board.in_deck })} />
      </div>
      ${pile("down")}
    </div>
    ${note(play, props, own)}
    ${
      board.hand
        ? html`<${Hand} cards=${cards} picked=${picked} pick=${play.pick} waiting=${!play.myTurn}
          label=${text("board_hand")} />`
        : html`<${HiddenHand} count=${board.in_hand[near]} side="common" />`
    }
    ${
      !play.idle &&
      !view.outcome &&
      html`<${Talk} phrases=${snapshot.phrases} talk=${talk} seat=${near} board=${board}
        t=${t} />`
    }
    ${
      !play.idle &&
      !view.outcome &&
      html`<${Actions} undo=${{ label: text("board_undo"), off: !view.undoable, press: play.takeBack }}
        move=${starting ? "start" : "end"}
        end=${starting ? startButton(play, text) : endButton(play, snapshot, view, text)} />`
    }
  </div></div>`;
}

/**
 * @param {string | null} card
 * @param {PileName} way
 * @param {string | undefined} place
 */
function face(card, way, place) {
  const key = place ?? "under";
  return card
    ? html`<${ColourCard} key=${key} name=${card} place=${place} />`
    : html`<${StartCard} key=${key} way=${way} place=${place} />`;
}

/**
 * Return a card in words: "G8" is "green 8".
 * @param {string} card
 * @param {GameText} text
 */
function cardText(card, text) {
  return text("board_card", {
    colour: COLOURS[/** @type {keyof typeof COLOURS} */ (card[0])],
    number: Number(card.slice(1)),
  });
}

/**
 * Return what a move would do, or why it is refused.
 * @param {Snapshot} snapshot
 * @param {string} move
 * @param {GameText} text
 * @returns {Prospect | null}
 */
function prospect(snapshot, move, text) {
  const effect = snapshot.effects[move];
  if (effect?.turns) return { tone: "trick", badge: `−${-effect.steps}`, hint: text("board_turns") };
  if (effect?.steps)
    return {
      tone: costTone(effect.steps, RANGE),
      badge: `+${effect.steps}`,
      hint: text("board_costs", { steps: effect.steps }),
    };
  if (effect) return { tone: "step", badge: "✓", hint: text("board_opens") };
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
 * @param {any} own what this seat has said
 */
function note(play, { view, translate, t }, own) {
  const { refusal, picked, myTurn, flying } = play;
  const board = /** @type {QuickEasyBoard} */ (view.board);
  const laid = board.laid + (flying ? 1 : 0);
  const required = Math.max(0, board.required - (flying ? 1 : 0));
  let words = own;
  if (refusal) words = html`<span>${translate(refusal)}</span>`;
  else if (picked && myTurn) {
    const choice = play.fits(picked) ? "board_choose" : "board_fits_nowhere";
    words = html`<span>${t(view.moves.includes("start") ? "start_first" : choice, {}, GAME)}</span>`;
  }
  return html`<div class=${`note${refusal ? " refused" : ""}`}>
    ${myTurn && html`<${Pips} laid=${laid} required=${required} />`}
    ${words}
  </div>`;
}

/**
 * The button that ends the turn: it says what follows or, while it is not possible, what is missing.
 * @param {ReturnType<typeof useCardPlay>} play
 * @param {Snapshot} snapshot
 * @param {View} view
 * @param {GameText} text
 */
function endButton(play, snapshot, view, text) {
  const possible = play.myTurn && view.moves.includes("end");
  const draws = snapshot.effects["end"]?.draws ?? view.board.draws;
  let small = "";
  if (possible) small = draws ? text("board_draw", { draws }) : text("board_draw_none");
  else if (play.myTurn) small = text("board_owe");
  return { label: text("board_end"), small, off: !possible, press: play.end };
}

/**
 * The button that takes the start, until somebody has it.
 * @param {ReturnType<typeof useCardPlay>} play
 * @param {GameText} text
 */
const startButton = (play, text) => ({ label: text("board_start"), small: "", off: false, press: play.start });

/**
 * @param {string[] | undefined} cards
 * @param {GameText} text
 */
const openly = (cards, text) =>
  cards?.map((card) => ({
    text: card.slice(1),
    colour: COLOURS[/** @type {keyof typeof COLOURS} */ (card[0])],
    label: cardText(card, text),
  }));
