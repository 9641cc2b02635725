// The board of GRA. It knows no rules: the snapshot has the legal moves.
//
// gra-log.js reads the log, gra-bids.js arranges the legal bids, gra-parts.js draws dice and cards. The parts of the
// board are gra-table.js, gra-hand.js, gra-picker.js and, above them, gra-reveal.js. gra-play.js handles actions.
import { html, useLayoutEffect, useRef } from "../vendor/preact.js";
import { useMore } from "../page/more.js";
import { t as translateKey } from "../text.js";
import { seatColour } from "../table/seats.js";
import { loadStyles } from "../ui/styles.js";
import { parseBids } from "./gra-bids.js";
import { Confirm, Hand } from "./gra-hand.js";
import { BidSign, Sign, bidWords } from "./gra-parts.js";
import { Holding, Picker } from "./gra-picker.js";
import { useGraPlay } from "./gra-play.js";
import { Hands, RevealStage, moodOf, useStage } from "./gra-reveal.js";
import { ladder, lastReveal, matchesBid, revealOrder } from "./gra-log.js";
import { Ladder, Table } from "./gra-table.js";

await loadStyles(
  ["./gra.css", "./gra-seats.css", "./gra-picker.css", "./gra-reveal.css", "./gra-layout.css", "../ui/highlight.css"],
  import.meta.url,
);

/** @typedef {import("./gra-log.js").Reveal} Reveal */
/** @typedef {{number: number, value: number, bidder: number}} Bid */
/** @typedef {(key: string, values?: Record<string, unknown>) => string} GameText a sentence of this game's catalogue */

/**
 * Return the sentence that says what the match is waiting for.
 * @param {Snapshot} snapshot
 * @param {string[]} names
 * @param {Translate} t
 * @returns {string}
 */
export function prompt({ view, you }, names, t) {
  if (!view) return "";
  const { board, to_act: toAct, moves, outcome } = view;
  const text = /** @type {GameText} */ ((key, values = {}) => t(key, values, "gra"));
  if (outcome) return text(outcome.key, { ...outcome.values, winner: outcome.winners[0] });
  if (board.phase === "choosing") {
    if (you !== null && toAct.includes(you)) return text("board_prompt_choose");
    const waiting = toAct.map((seat) => names[seat]).join(", ");
    return text(board.ready.includes(you) ? "board_prompt_chosen" : "board_prompt_choosing", { names: waiting });
  }
  if (board.phase === "starting") return text(moves.length ? "board_start_prompt" : "board_start_wait");
  if (board.phase !== "bidding") return text("board_prompt_dealing");
  const bid = board.bid && bidWords(board.bid.number, board.bid.value, t);
  const name = names[board.turn];
  if (board.turn !== you)
    return bid ? text("board_prompt_wait", { name, bid }) : text("board_prompt_wait_open", { name });
  if (!bid) return text("board_prompt_open");
  return text(moves.length === 1 ? "board_prompt_must_check" : "board_prompt_answer", { bid });
}

/**
 * Return a move in words.
 * @param {string} move
 * @param {Translate} t
 */
export function describeMove(move, t) {
  const [bid] = parseBids([move]);
  if (bid) return t(`board_bid${bid.way ? `_${bid.way}` : ""}`, { bid: bidWords(bid.number, bid.value, t) }, "gra");
  const [verb, ...faces] = move.split(" ");
  if (verb === "start") return t("board_move_start", {}, "gra");
  return verb === "check" ? t("board_check", {}, "gra") : t("board_move_choose", { faces: faces.join(", ") }, "gra");
}

/**
 * Return a message with its bids in words: “three fours” instead of “3×4”.
 * @param {Message} message
 * @returns {Message}
 */
export function inWords(message) {
  const { key, values } = message;
  if (key.startsWith("why_")) {
    const worded = Object.entries(values).map(([name, value]) => {
      const [bid] = parseBids([`bid ${value}`]);
      return [name, bid ? bidWords(bid.number, bid.value, translateKey) : value];
    });
    return { ...message, values: Object.fromEntries(worded) };
  }
  if (!["bid", "checked", "revealed"].includes(key)) return message;
  const bid = bidWords(Number(values.number), Number(values.value), translateKey);
  return { ...message, key: `board_event_${key}`, values: { ...values, bid } };
}

/**
 * Whether the board reveals a line card by card; until then nothing else may show how it ends.
 * @param {Line} line
 */
export const isReveal = (line) => line.events.some((event) => event.key === "revealed");

/**
 * Return the headline of a lost match, by how many cards the winner was better, and by the place.
 * @param {Snapshot} snapshot
 * @param {Translate} t
 */
export function headline({ view, you }, t) {
  if (view?.outcome?.key === "last_one_left") return t("board_result", { grade: "other" }, "gra");
  const sizes = /** @type {number[]} */ (view?.board.sizes);
  const best = Number(sizes[view?.outcome?.winners[0] ?? 0]);
  const behind = sizes.map((size) => Math.abs(size - best)); // in one variant the most cards win
  const own = Number(behind[you ?? 0]);
  const second = behind.filter((cards) => cards < own).length === 1 && own < Math.max(...behind);
  return t("board_result", { grade: own <= 1 ? "close" : second ? "second" : "other" }, "gra");
}

/**
 * Return the keys of this board, each with what it does.
 * @param {Snapshot} snapshot
 * @param {Translate} t
 * @returns {[string, string][]}
 */
export function keys({ table }, t) {
  const directed = table.options.directions === "on" && table.seats.length > 2;
  const text = (/** @type {string} */ name) => t(name, {}, "gra");
  return [
    ["1 – 5", text("board_key_turn")],
    ["↑ ↓", text("board_key_number")],
    ["← →", text("board_key_value")],
    ...(directed ? [/** @type {[string, string]} */ (["D", text("board_key_direction")])] : []),
    ["Enter", text("board_key_confirm")],
    ["C", text("board_key_check")],
    ["S", text("board_key_start")],
  ];
}

/** @param {BoardProps} props */
export function Board(props) {
  return props.snapshot.view && html`<${Game} ...${props} view=${props.snapshot.view} />`;
}

/** @param {BoardProps & {view: View}} props */
function Game({ snapshot, view, lines, names, act, onReveal, t, replay, hint, shared = false }) {
  const { board, options, outcome } = view;
  const { you } = snapshot;
  const reader = shared ? null : you;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const scene = useRef(/** @type {HTMLElement | null} */ (null));
  useMore(scene);
  const last = lastReveal(lines);
  const stage = useStage(lines, replay, onReveal);
  const deal = `${last?.at} ${board.hand?.cards}`;
  const play = useGraPlay({ snapshot, view, act, replay, busy: stage.shown !== null, deal, root, hint });

  const fewer = options.fewer_cards === "on";
  const jokers = board.ones_are_jokers;
  const bid = outcome ? null : currentBid(board, play.sent, you);
  const past = board.phase !== "bidding" && last !== null;
  const rungs = past ? ladder(lines, last.at) : ladder(lines, lines.length);
  if (bid && bid !== board.bid) rungs.push({ seat: bid.bidder, number: bid.number, value: bid.value });
  const seated = !outcome && board.hand?.cards.length > 0;
  return html`<div class=${`gra phase-${board.phase}`} ref=${root} tabIndex=${-1}>
    <div class=${`gra-scene${seated ? " seated" : ""}`} ref=${scene} inert=${stage.shown !== null}>
      <${Table} seats=${sittings(view, you, names, bid, snapshot.views)}
        way=${board.phase === "bidding" ? board.way : null} fewer=${fewer} t=${t}>
        <${Middle} view=${view} bid=${bid} names=${names} you=${reader} last=${last} recall=${stage.recall} t=${t} />
      <//>
      ${
        outcome && board.revealed
          ? html`<${Finale} board=${board} last=${last} names=${names} t=${t} />`
          : html`<${Ladder} rungs=${rungs} past=${past} names=${names} jokers=${!past && jokers} t=${t} />`
      }
      ${
        seated &&
        html`<${Hand} hand=${board.hand} deal=${deal} turned=${play.turned} open=${play.choosing}
          wanted=${play.wanted} jokers=${jokers} t=${t} />`
      }
      ${
        board.phase === "starting" &&
        !replay &&
        view.moves.length > 0 &&
        html`<div class="gra-panel"><div class="gra-confirm">
          <button type="button" class="button big primary" data-button="start" aria-keyshortcuts="S"
            onClick=${() => play.send("start")}>${t("board_start", {}, "gra")}</button>
        </div></div>`
      }
      ${
        seated &&
        !replay &&
        html`<div class="gra-panel">
          ${play.refusal && html`<${Refusal} refusal=${play.refusal} t=${t} />`}
          ${
            play.choosing &&
            html`<${Confirm} confirmed=${play.confirmed} ready=${play.ready}
              wanted=${play.wanted?.join(" ") === play.turned.faces.join(" ")} confirm=${play.confirm} t=${t} />`
          }
          ${
            play.bidding &&
            html`<${Picker} bids=${play.bids} pick=${play.pick} choose=${play.choose} send=${play.send}
              checkable=${view.moves.includes("check")} held=${play.held} possible=${play.possible}
              hint=${hint} jokers=${jokers} t=${t} />`
          }
          ${!play.choosing && !play.bidding && html`<${Holding} held=${play.held} jokers=${jokers} t=${t} />`}
        </div>`
      }
    </div>
    ${
      stage.shown &&
      html`<${RevealStage} key=${`${stage.shown.at} ${stage.recalled}`} reveal=${stage.shown} names=${names}
        you=${reader} fewer=${fewer} recalled=${stage.recalled} replay=${replay} behind=${stage.behind}
        awaited=${!replay && !outcome && you !== null && view.to_act.includes(you)}
        onShown=${() => onReveal("shown", stage.shown?.at ?? 0)} close=${stage.close} catchUp=${stage.catchUp}
        t=${t} />`
    }
  </div>`;
}

/**
 * Why a move was refused. It stands above the controls and is scrolled into view.
 * @param {{refusal: Message, t: Translate}} props
 */
function Refusal({ refusal, t }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => place.current?.scrollIntoView({ block: "nearest" }), [refusal]);
  return html`<p class="gra-refusal" role="alert" ref=${place}>${t(refusal.key, refusal.values, refusal.game)}</p>`;
}

/**
 * Return the bid to show: the player's own at once, before the server has answered.
 * @param {any} board
 * @param {string | null} sent
 * @param {number | null} you
 * @returns {Bid | null}
 */
function currentBid(board, sent, you) {
  const [mine] = sent ? parseBids([sent]) : [];
  return mine && you !== null ? { number: mine.number, value: mine.value, bidder: you } : board.bid;
}

/**
 * Return the seats clockwise, beginning with the user (for a spectator: the first seat).
 * @param {View} view
 * @param {number | null} you
 * @param {string[]} names
 * @param {Bid | null} bid
 * @param {Snapshot["views"]} views
 * @returns {import("./gra-table.js").Sitting[]}
 */
function sittings({ board, outcome, to_act: toAct }, you, names, bid, views) {
  const count = board.sizes.length;
  return Array.from({ length: count }, (_, i) => {
    const seat = ((you ?? 0) + i) % count;
    const choosing = board.phase === "choosing" ? (board.ready.includes(seat) ? "ready" : "choosing") : "";
    return {
      seat,
      name: names[seat],
      colour: seatColour(seat, you, count),
      size: board.sizes[seat],
      you: seat === you,
      faces: i && !outcome ? views?.[seat]?.board.hand?.faces : undefined,
      active: outcome !== null || board.active.includes(seat),
      turn: board.phase === "bidding" && toAct.includes(seat),
      state: outcome?.winners.includes(seat) ? "winner" : choosing || (bid?.bidder === seat ? "bidder" : ""),
    };
  });
}

/**
 * The middle of the table: the current bid; before the first bid the last round; at the end the winner.
 * @param {object} props
 * @param {View} props.view
 * @param {Bid | null} props.bid
 * @param {string[]} props.names
 * @param {number | null} props.you
 * @param {Reveal | null} props.last
 * @param {() => void} props.recall shows the last reveal again
 * @param {Translate} props.t
 */
function Middle({ view, bid, names, you, last, recall, t }) {
  const { board, options, outcome } = view;
  const text = /** @type {GameText} */ ((key, values = {}) => t(key, values, "gra"));
  const winner = outcome?.winners[0]; // undefined after an abandoned match
  if (winner !== undefined) {
    return html`<div class="gra-crown"><${Sign} of="crown" /></div>
      <p class="gra-winner">${text("board_wins", { mine: winner === you, name: names[winner] })}</p>`;
  }
  return html`
    ${board.tie_break && html`<p class="chip gra-tie">${text("board_tie")}</p>`}
    ${
      bid &&
      html`<p class="gra-bidder">${names[bid.bidder]}</p>
        <div class="gra-standing" key=${`${bid.number} ${bid.value}`}>
          <${BidSign} number=${bid.number} value=${bid.value} jokers=${board.ones_are_jokers} t=${t} />
        </div>`
    }
    ${
      !bid &&
      last &&
      html`<button type="button" class="gra-last" onClick=${recall}>
        <small>${text("board_last_round")}</small>
        <${BidSign} number=${last.number} value=${last.value} t=${t} />
        <span class=${`gra-truth ${moodOf(last, you)}`}>
          <${Sign} of=${last.holds ? "check" : "cross"} />
          ${text("board_found_number", { count: last.count })}
        </span>
      </button>`
    }
    <p class="gra-in-play quiet">${text("board_in_play", { cards: board.in_play })}</p>
    ${
      options.jokers === "on" &&
      html`<p class="chip gra-jokers">
        ${text(board.ones_are_jokers ? "board_jokers" : "board_no_jokers")}
      </p>`
    }`;
}

/**
 * The open hands of the last round, when the match is over.
 * @param {{board: any, last: Reveal | null, names: string[], t: Translate}} props
 */
function Finale({ board, last, names, t }) {
  const { revealed: hands, bid } = board;
  const lit = last ? matchesBid(last) : () => false;
  return html`<section class="gra-finale" aria-label=${t("board_all_hands", {}, "gra")}>
    <h2>${t("board_all_hands", {}, "gra")}<${BidSign} number=${bid.number} value=${bid.value} t=${t} /></h2>
    <${Hands} hands=${hands} order=${revealOrder({ hands, bidder: bid.bidder })} shown=${Infinity} lit=${lit}
      names=${names}
      bidder=${bid.bidder} jokers=${bid.value !== 1 && lit(1)} t=${t} />
  </section>`;
}
