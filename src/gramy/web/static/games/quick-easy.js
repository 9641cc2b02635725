// The board of Quick & Easy: two common piles in the middle, the partners around, your two cards, and the table talk.
import { html, useRef } from "../vendor/preact.js";
import { t as words } from "../text.js";
import { Backs, COLOURS, CardBack, ColourCard, Deck, StartCard, Symbol } from "../ui/card.js";
import { Hand } from "../ui/hand.js";
import { useTravel } from "../ui/motion.js";
import { Pile } from "../ui/pile.js";
import { usePlay } from "../ui/play.js";
import { useRoom } from "../ui/room.js";
import { Actions, Avatar, Pips } from "../ui/seat.js";
import { styled } from "../ui/styles.js";
import { Bubble, Talk, heard } from "./quick-easy-talk.js";

await styled("./quick-easy.css", import.meta.url);

/**
 * @typedef {import("../ui/pile.js").Prospect} Prospect
 * @typedef {{turn: number | null, up: string | null, down: string | null, hand: string[] | null, in_hand: number[], in_deck: number, laid: number, draws: number}} Common
 * @typedef {"up" | "down"} PileName
 */

const GAME = "quick-easy";
const ALL = 50; // how many cards there are, for drawing how far the team has come
const PILES = /** @type {PileName[]} */ (["up", "down"]);
/** Reasons that have a short form, for the narrow space on a pile. */
const SHORT = new Set(["too_low", "too_high", "only_colour", "two_cards_laid", "one_card_in_pro"]);

/**
 * The line that says what the match waits for.
 * @param {Snapshot} snapshot
 * @param {string[]} names
 * @param {Say} t
 */
export function prompt(snapshot, names, t) {
  if (!snapshot.view) return t("board_dealing", {}, GAME);
  const { outcome, to_act, moves } = snapshot.view;
  if (outcome) return t(outcome.key, outcome.values, GAME);
  if (snapshot.you === null || !to_act.includes(snapshot.you)) {
    const seat = to_act.find((one) => one < names.length);
    return seat === undefined ? t("board_dealing", {}, GAME) : t("board_wait", { seat }, GAME);
  }
  if (!moves.includes("end")) return t("board_lay", {}, GAME);
  return t(moves.length > 1 ? "board_more_or_end" : "board_end_now", {}, GAME);
}

/**
 * A card within a sentence: "G8" as a little green card.
 * @param {string} card
 */
export function inline(card) {
  const colour = COLOURS[/** @type {keyof typeof COLOURS} */ (card[0])];
  const number = Number(card.slice(1));
  return html`<span class=${`inline-card ${colour}`} aria-hidden="true"><${Symbol} colour=${colour} />${number}</span>
    <span class="sr">${spoken(card)}</span>`;
}

/**
 * A card as the object of a sentence, for screen readers: "G8" is "the green 8".
 * @param {string} card
 */
export function spoken(card) {
  return inWords(card, (key, values) => words(`${key}_laid`, values, GAME));
}

/**
 * A move in words.
 * @param {string} move
 * @param {Say} t
 */
export function wording(move, t) {
  const [pile = "", card = ""] = move.split(" ");
  return t(
    `board_move_${pile.replace("-", "_")}`,
    { card: card && inWords(card, (key, values) => t(key, values, GAME)) },
    GAME,
  );
}

/**
 * @param {BoardProps} props
 */
export function Board(props) {
  return props.snapshot.view && html`<${Team} ...${props} view=${props.snapshot.view} />`;
}

/**
 * @param {BoardProps & {view: View}} props
 */
function Team(props) {
  const { snapshot, view, names, lines, t, talk } = props;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useRoom(frame);
  const board = /** @type {Common} */ (view.board);
  const near = snapshot.you ?? view.seat ?? 0; // the seat at the bottom
  const hand = board.hand ?? [];
  const play = usePlay({ root, props, view, hand, piles: PILES });
  const { flying, picked } = play;
  const say = (/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) => t(key, values, GAME);

  /** @param {PileName} pile @returns {string | null} its top, the card that was laid a moment ago included */
  const top = (pile) => (flying?.pile === pile ? flying.card : board[pile]);
  const left = board.in_deck + board.in_hand.reduce((sum, cards) => sum + cards, 0) - (flying ? 1 : 0);
  useTravel(root, { hand: play.held, piles: { up: top("up") ?? "", down: top("down") ?? "" }, turn: board.turn, left });

  /** @param {PileName} name */
  const pile = (name) => {
    const card = top(name);
    return html`<${Pile} key=${name} name=${name} way=${name} top=${card ?? ""} digit=${PILES.indexOf(name) + 1}
      label=${card ? say(`board_pile_${name}`, { card: inWords(card, say) }) : say(`board_empty_${name}`)}
      draw=${(/** @type {string | undefined} */ place) => face(card, name, place)}
      foot=${html`<span>${say(`board_${name}`)}</span>`}
      prospect=${flying || !picked || !play.mine ? null : prospect(snapshot, `${name} ${picked}`, say)}
      over=${play.over === name} play=${play.play} />`;
  };

  const said = heard(lines);
  /** @param {number} seat */
  const partner = (seat) => {
    const cards = board.in_hand[seat];
    const on = board.turn === seat && !view.outcome ? " active" : "";
    return html`<li key=${seat} class=${`partner${on}`}>
      <${Avatar} name=${names[seat] ?? "?"} online=${snapshot.table.seats[seat]?.online ?? true} />
      <b class="name">${names[seat]}</b>
      <${Backs} count=${cards} side="common" place=${`seat:${seat}`} label=${say("board_in_hand", { seat, cards })}
        open=${openly(snapshot.views?.[seat]?.board.hand)} />
      <span class="bubbles">
        ${(said.get(seat) ?? []).map((one) => html`<${Bubble} key=${one.line} said=${one} seat=${seat} t=${t} />`)}
      </span>
    </li>`;
  };
  const others = names.map((_, step) => (near + step) % names.length).slice(1); // clockwise from the left

  const playable = new Set(view.moves.map((move) => move.split(" ")[1]));
  const cards = play.held.map((id) => ({
    id,
    label: inWords(id, say),
    face: html`<${ColourCard} name=${id} />`,
    dead: play.mine && !flying && !playable.has(id),
  }));
  const own = (said.get(near) ?? [])
    .filter((one) => one.fresh)
    .map((one) => html`<${Bubble} key=${one.line} said=${one} seat=${near} t=${t} />`);
  const over = view.outcome ? (view.outcome.winners.length ? " over won" : " over lost") : "";

  return html`<div class="team-frame" ref=${frame}><div class=${`team${over}`} ref=${root}>
    <ul class="partners" data-partners=${others.length} aria-label=${say("board_partners")}>${others.map(partner)}</ul>
    <div class="middle">
      ${pile("up")}
      <div class="road">
        <span class="ring" role="img" aria-label=${say("board_progress", { laid: ALL - left, all: ALL })}
          style=${{ "--done": (ALL - left) / ALL }}>
          <b>${ALL - left}</b><small>/${ALL}</small>
        </span>
        <${Deck} count=${board.in_deck} side="common" place="deck"
          label=${say("board_in_deck", { cards: board.in_deck })} />
      </div>
      ${pile("down")}
    </div>
    ${note(play, props, own)}
    ${
      board.hand
        ? html`<${Hand} cards=${cards} picked=${picked} pick=${play.pick} waiting=${!play.mine}
          label=${say("board_hand")} />`
        : html`<div class="hand" style=${{ "--cards": board.in_hand[near] }}>${hiddenFan(board.in_hand[near])}</div>`
    }
    ${!play.idle && !view.outcome && html`<${Talk} phrases=${snapshot.phrases} talk=${talk} seat=${near} t=${t} />`}
    ${
      !play.idle &&
      !view.outcome &&
      html`<${Actions} undo=${{ label: say("board_undo"), off: !view.undoable, press: play.takeBack }}
        end=${endButton(play, snapshot, view, say)} />`
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
 * "G8" for ears: "green 8".
 * @param {string} card
 * @param {Say} say
 */
function inWords(card, say) {
  return say("board_card", {
    colour: COLOURS[/** @type {keyof typeof COLOURS} */ (card[0])],
    number: Number(card.slice(1)),
  });
}

/**
 * What a move would mean, from what the server says about it.
 * @param {Snapshot} snapshot
 * @param {string} move
 * @param {Say} say
 * @returns {Prospect | null}
 */
function prospect(snapshot, move, say) {
  const effect = snapshot.effects[move];
  if (effect?.turns) return { tone: "trick", badge: `−${-effect.steps}`, hint: say("board_turns") };
  if (effect?.steps)
    return { tone: "step", badge: `+${effect.steps}`, hint: say("board_costs", { steps: effect.steps }) };
  if (effect) return { tone: "step", badge: "✓", hint: say("board_opens") };
  const why = snapshot.refusals[move];
  if (!why) return null;
  return {
    tone: "no",
    badge: "",
    hint: SHORT.has(why.key) ? say(`board_why_${why.key}`, why.values) : say(why.key, why.values),
  };
}

/**
 * The line above the hand: how many cards are laid and owed, and what the hand is about to do, or why not.
 * @param {ReturnType<typeof usePlay>} play
 * @param {BoardProps & {view: View}} props
 * @param {any[]} own what this seat said last
 */
function note(play, { snapshot, view, say, t }, own) {
  const { refusal, picked, mine, flying } = play;
  const laid = view.board.laid + (flying ? 1 : 0);
  const owed = snapshot.refusals["end"] && !flying ? 1 : 0;
  let words = /** @type {any} */ (own.length ? html`<span class="bubbles">${own}</span>` : "");
  if (refusal) words = html`<span>${say(refusal)}</span>`;
  else if (picked && mine) words = html`<span>${t("board_choose", {}, GAME)}</span>`;
  return html`<div class=${`note${refusal ? " refused" : ""}`}>
    ${mine && html`<${Pips} laid=${laid} owed=${owed} />`}
    ${words}
  </div>`;
}

/**
 * The end of the turn names its consequence; while it is not possible, it says what is missing.
 * @param {ReturnType<typeof usePlay>} play
 * @param {Snapshot} snapshot
 * @param {View} view
 * @param {Say} say
 */
function endButton(play, snapshot, view, say) {
  const possible = play.mine && view.moves.includes("end");
  const draws = snapshot.effects["end"]?.draws ?? view.board.draws;
  let small = "";
  if (possible) small = draws ? say("board_draw", { draws }) : say("board_draw_none");
  else if (play.mine) small = say("board_owe");
  return { label: say("board_end"), small, off: !possible, press: play.end };
}

/** @param {string[] | undefined} cards */
const openly = (cards) =>
  cards?.map((card) => ({ text: card.slice(1), colour: COLOURS[/** @type {keyof typeof COLOURS} */ (card[0])] }));

/** @param {number} count */
function hiddenFan(count) {
  const middle = (count - 1) / 2;
  return Array.from(
    { length: count },
    (_, index) =>
      html`<span key=${index} class="held shut" style=${{ "--offset": index - middle }}>
        <${CardBack} side="common" />
      </span>`,
  );
}
