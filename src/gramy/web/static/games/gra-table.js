// The table: the players with their hand sizes, the current bid in the middle, and the list of bids beside it.
import { html, useLayoutEffect, useRef } from "../vendor/preact.js";
import { reducedMotion } from "../settings.js";
import { PlayerName } from "../table/seats.js";
import { BidSign, Die, Sign, Sizes } from "./gra-parts.js";

/** @typedef {import('./gra-log.js').Rung} Rung */

/**
 * @typedef {object} Sitting one seat as it is drawn
 * @property {number} seat
 * @property {string} name
 * @property {string} colour the class of the seat's colour
 * @property {number} size
 * @property {number[] | undefined} faces the chosen faces, where hands are open
 * @property {boolean} active
 * @property {boolean} you
 * @property {boolean} turn
 * @property {string} state `ready`, `choosing`, `bidder`, `winner` or empty
 */

/** Positions of the other players in per cent, by their number: clockwise from the user's left. */
const PLACES = [
  [],
  [[50, 0]],
  [
    [0, 24],
    [100, 24],
  ],
  [
    [0, 46],
    [50, 0],
    [100, 46],
  ],
  [
    [0, 66],
    [0, 16],
    [100, 16],
    [100, 66],
  ],
  [
    [0, 72],
    [0, 26],
    [50, 0],
    [100, 26],
    [100, 72],
  ],
];
const OWN = [50, 100];

/** @type {Record<string, import('./gra-parts.js').SignName>} */
const SIGNS = { ready: "check", winner: "crown", out: "cross" };

/**
 * @param {{seats: Sitting[], way: string | null, fewer: boolean, children: any, t: Translate}} props
 * `seats` begin with the one at the bottom and continue clockwise; `way` is null outside the bidding
 */
export function Table({ seats, way, fewer, children, t }) {
  const places = [OWN, ...PLACES[seats.length - 1]];
  return html`<section class="gra-table of-${seats.length}" aria-label=${t("board_table", {}, "gra")}>
    <div class="gra-felt">
      ${way && html`<${Arrows} way=${way} /><span class="sr">${t(`board_way_${way}`, {}, "gra")}</span>`}
    </div>
    <div class="gra-middle">${children}</div>
    <ul class="gra-seats">${seats.map(
      (one, i) => html`<li key=${one.seat}
        class="gra-seat ${one.turn ? "turn" : ""} ${one.active ? "" : "out"} ${one.you ? "you" : ""}"
        style=${{ "--x": places[i][0], "--y": places[i][1] }} aria-current=${one.turn ? "true" : undefined}>
        <${Seat} ...${one} fewer=${fewer} t=${t} /></li>`,
    )}</ul>
  </section>`;
}

/**
 * Arrow heads on the rim that show the direction of the bidding. The styles hide those under a seat.
 * @param {{way: string}} props
 */
function Arrows({ way }) {
  return ["w", "nw", "n", "ne", "e"].map(
    (at) => html`<svg class="gra-arrow ${at} ${way}" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M5 3 L15 10 L5 17" /></svg>`,
  );
}

/** @param {Sitting & {fewer: boolean, t: Translate}} props */
function Seat({ name, colour, you, size, faces, active, turn, state, fewer, t }) {
  const shownState = !active ? "out" : turn ? "turn" : state;
  const sign = SIGNS[shownState];
  return html`<span class="gra-name"><i class=${`dot ${colour}`}></i><${PlayerName} name=${name} you=${you} /></span>
    ${
      faces?.length
        ? html`<span class="gra-faces">
          <span class="sr">${faces.join(" ")}</span>
          ${faces.map((face, card) => html`<${Die} key=${card} value=${face} />`)}
        </span>`
        : html`<${Sizes} size=${size} fewer=${fewer} t=${t} />`
    }
    ${
      shownState &&
      html`<span class="gra-state ${shownState}">
        ${sign && html`<${Sign} of=${sign} />`}
        ${t(`board_state_${shownState}`, {}, "gra")}
      </span>`
    }`;
}

/**
 * The bids of this round, or of the last one (`past`); the newest is in view.
 * @param {{rungs: Rung[], past: boolean, names: string[], jokers: boolean, t: Translate}} props
 */
export function Ladder({ rungs, past, names, jokers, t }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const node = list.current;
    node?.scrollTo({ left: node.scrollWidth, top: 0, behavior: reducedMotion() ? "auto" : "smooth" });
  }, [rungs.length]);
  const title = t(past ? "board_last_round" : "board_ladder", {}, "gra");
  return html`<section class="gra-ladder ${past ? "past" : ""}" aria-label=${title}>
    <h2>${title}</h2>
    ${
      rungs.length
        ? html`<ol ref=${list} tabindex="0" aria-label=${title}>${rungs.map(
            (rung, i) => html`<li key=${i}
              class=${i === rungs.length - 1 ? "newest" : ""}>
              <span class="gra-name">${names[rung.seat]}</span>
              <${BidSign} number=${rung.number} value=${rung.value} jokers=${jokers} t=${t} />
            </li>`,
          )}</ol>`
        : html`<p class="quiet">${t("board_no_bids", {}, "gra")}</p>`
    }
  </section>`;
}
