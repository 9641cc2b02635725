/*
 * The board of GRA. It shows what the server says and offers what the server offers; the rules are not here.
 *
 * gra-story.js reads the log, gra-bids.js arranges the offered bids, gra-parts.js draws dice and cards. The places of the
 * board are gra-table.js, gra-hand.js, gra-picker.js, and gra-reveal.js above them all; gra-play.js is what the player does.
 */
import { html, useRef } from "../vendor/preact.js";
import { styled } from "../ui/styles.js";
import { offers } from "./gra-bids.js";
import { Confirm, Hand } from "./gra-hand.js";
import { BidSign, Sign, bidWords } from "./gra-parts.js";
import { Holding, Picker } from "./gra-picker.js";
import { usePlay } from "./gra-play.js";
import { Hands, RevealStage, useStage } from "./gra-reveal.js";
import { ladder, lastReveal, matching, turning } from "./gra-story.js";
import { Ladder, Table } from "./gra-table.js";

await Promise.all(["./gra.css", "../ui/pointer.css"].map((file) => styled(file, import.meta.url)));

/** @typedef {import('./gra-story.js').Reveal} Reveal */
/** @typedef {{number: number, value: number, bidder: number}} Standing */
/** @typedef {(key: string, values?: Record<string, unknown>) => string} Words */

/**
 * The one line that says what is going on.
 * @param {Snapshot} snapshot @param {string[]} names @param {Say} t @returns {string}
 */
export function prompt({ view, you }, names, t) {
  if (!view) return "";
  const { board, to_act, moves, outcome } = view;
  const say = /** @type {Words} */ ((key, values = {}) => t(key, values, "gra"));
  if (outcome) return say(outcome.key, { ...outcome.values, winner: outcome.winners[0] });
  if (board.phase === "choosing") {
    if (you !== null && to_act.includes(you)) return say("board_prompt_choose");
    const waiting = to_act.map((seat) => names[seat]).join(", ");
    return say(board.ready.includes(you) ? "board_prompt_chosen" : "board_prompt_choosing", { names: waiting });
  }
  if (board.phase !== "bidding") return say("board_prompt_dealing");
  const bid = board.bid && bidWords(board.bid.number, board.bid.value, t);
  const name = names[board.turn];
  if (board.turn !== you)
    return bid ? say("board_prompt_wait", { name, bid }) : say("board_prompt_wait_open", { name });
  if (!bid) return say("board_prompt_open");
  return say(moves.length === 1 ? "board_prompt_must_check" : "board_prompt_answer", { bid });
}

/** A move in words. @param {string} move @param {Say} t */
export function wording(move, t) {
  const [bid] = offers([move]);
  if (bid) return t(`board_bid${bid.way ? `_${bid.way}` : ""}`, { bid: bidWords(bid.number, bid.value, t) }, "gra");
  const [verb, ...faces] = move.split(" ");
  return verb === "check" ? t("board_check", {}, "gra") : t("board_move_choose", { faces: faces.join(", ") }, "gra");
}

/** A reveal is a story: it must not be told elsewhere before its cards are turned. @param {Line} line */
export const tells = (line) => line.events.some((event) => event.key === "revealed");

/** @param {BoardProps} props */
export function Board(props) {
  return props.snapshot.view && html`<${Game} ...${props} view=${props.snapshot.view} />`;
}

/** @param {BoardProps & {view: View}} props */
function Game({ snapshot, view, lines, names, act, tell, t, replay, hint }) {
  const { board, options, outcome } = view;
  const { you } = snapshot;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const last = lastReveal(lines);
  const stage = useStage(last, lines.length, replay, tell);
  const deal = `${last?.at} ${board.hand?.cards}`;
  const play = usePlay({ snapshot, view, act, replay, busy: stage.shown !== null, deal, root, hint });

  const fewer = options.fewer_cards === "on";
  const jokers = board.ones_are_jokers;
  const bid = outcome ? null : standing(board, play.sent, you);
  const past = board.phase !== "bidding" && last !== null;
  const rungs = past ? ladder(lines, last.at) : ladder(lines, lines.length);
  if (bid && bid !== board.bid) rungs.push({ seat: bid.bidder, number: bid.number, value: bid.value });
  const seated = !outcome && board.hand?.cards.length > 0;
  return html`<div class=${`gra phase-${board.phase}`} ref=${root} tabIndex=${-1}>
    <div class=${`gra-scene${seated ? " seated" : ""}`} inert=${stage.shown !== null}>
      <${Table} seats=${sittings(view, you, names, bid, snapshot.views)}
        way=${board.phase === "bidding" ? board.way : null} fewer=${fewer} t=${t}>
        <${Middle} view=${view} bid=${bid} names=${names} you=${you} last=${last} recall=${stage.recall} t=${t} />
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
        seated &&
        !replay &&
        html`<div class="gra-panel">
          ${
            play.choosing &&
            html`<${Confirm} confirmed=${play.confirmed} ready=${play.ready}
              wanted=${play.wanted?.join(" ") === play.turned.faces.join(" ")} confirm=${play.confirm} t=${t} />`
          }
          ${
            play.bidding &&
            html`<${Picker} all=${play.all} pick=${play.pick} choose=${play.choose} send=${play.send}
              checkable=${view.moves.includes("check")} held=${play.held} hint=${hint} jokers=${jokers} t=${t} />`
          }
          ${!play.choosing && !play.bidding && html`<${Holding} held=${play.held} jokers=${jokers} t=${t} />`}
          ${
            play.refusal &&
            html`<p class="gra-refusal" role="alert">
              ${t(play.refusal.key, play.refusal.values, play.refusal.game)}
            </p>`
          }
        </div>`
      }
    </div>
    ${
      stage.shown &&
      html`<${RevealStage} key=${`${stage.shown.at} ${stage.recalled}`} reveal=${stage.shown} names=${names} you=${you}
        fewer=${fewer} recalled=${stage.recalled} replay=${replay} told=${() => tell("told")} close=${stage.close}
        t=${t} />`
    }
  </div>`;
}

/**
 * The bid to show: the player's own at once, before the server has answered.
 * @param {any} board @param {string | null} sent @param {number | null} you @returns {Standing | null}
 */
function standing(board, sent, you) {
  const [mine] = sent ? offers([sent]) : [];
  return mine && you !== null ? { number: mine.number, value: mine.value, bidder: you } : board.bid;
}

/**
 * Everybody as they sit, beginning with the reader (a spectator: with the first seat) and going on clockwise.
 * @param {View} view @param {number | null} you @param {string[]} names @param {Standing | null} bid @param {Snapshot["views"]} views
 * @returns {import('./gra-table.js').Sitting[]}
 */
function sittings({ board, outcome, to_act }, you, names, bid, views) {
  const count = board.sizes.length;
  return Array.from({ length: count }, (_, i) => {
    const seat = ((you ?? 0) + i) % count;
    const choosing = board.phase === "choosing" ? (board.ready.includes(seat) ? "ready" : "choosing") : "";
    return {
      seat,
      name: names[seat],
      size: board.sizes[seat],
      you: seat === you,
      faces: i && !outcome ? views?.[seat]?.board.hand?.faces : undefined,
      active: outcome !== null || board.active.includes(seat),
      turn: board.phase === "bidding" && to_act.includes(seat),
      state: outcome?.winners.includes(seat) ? "winner" : choosing || (bid?.bidder === seat ? "bidder" : ""),
    };
  });
}

/**
 * What lies in the middle of the table: the standing bid, before it the last round, in the end the winner.
 * @param {{view: View, bid: Standing | null, names: string[], you: number | null, last: Reveal | null, recall: () => void, t: Say}} props
 */
function Middle({ view, bid, names, you, last, recall, t }) {
  const { board, options, outcome } = view;
  const say = /** @type {Words} */ ((key, values = {}) => t(key, values, "gra"));
  const winner = outcome?.winners[0]; // nobody, where a match was broken off
  if (winner !== undefined) {
    return html`<div class="gra-crown"><${Sign} of="crown" /></div>
      <p class="gra-winner">${say("board_wins", { mine: winner === you, name: names[winner] })}</p>`;
  }
  return html`
    ${board.tie_break && html`<p class="chip gra-tie">${say("board_tie")}</p>`}
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
        <small>${say("board_last_round")}</small>
        <${BidSign} number=${last.number} value=${last.value} t=${t} />
        <span class=${`gra-truth ${last.holds ? "holds" : "fails"}`}>
          <${Sign} of=${last.holds ? "check" : "cross"} />
          ${say("board_found_number", { count: last.count })}
        </span>
      </button>`
    }
    <p class="gra-in-play quiet">${say("board_in_play", { cards: board.in_play })}</p>
    ${
      options.jokers === "on" &&
      html`<p class="chip gra-jokers">
        ${say(board.ones_are_jokers ? "board_jokers" : "board_no_jokers")}
      </p>`
    }`;
}

/**
 * The hands of the last round, open, when the match is over.
 * @param {{board: any, last: Reveal | null, names: string[], t: Say}} props
 */
function Finale({ board, last, names, t }) {
  const { revealed: hands, bid } = board;
  const lit = last ? matching(last) : () => false;
  return html`<section class="gra-finale" aria-label=${t("board_all_hands", {}, "gra")}>
    <h2>${t("board_all_hands", {}, "gra")}<${BidSign} number=${bid.number} value=${bid.value} t=${t} /></h2>
    <${Hands} hands=${hands} order=${turning({ hands, bidder: bid.bidder })} shown=${Infinity} lit=${lit} names=${names}
      bidder=${bid.bidder} jokers=${bid.value !== 1 && lit(1)} t=${t} />
  </section>`;
}
