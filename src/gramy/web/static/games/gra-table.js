/* The table: everybody around it with their hand sizes, the standing bid in the middle, and the ladder of bids beside it. */
import { html, useLayoutEffect, useRef } from "../vendor/preact.js";
import { BidSign, Die, Sign, Sizes, still } from "./gra-parts.js";

/** @typedef {import('./gra-story.js').Rung} Rung */

/**
 * @typedef {object} Sitting one seat as it is drawn
 * @property {number} seat
 * @property {string} name
 * @property {number} size
 * @property {number[] | undefined} faces those that were chosen, where hands lie open
 * @property {boolean} active
 * @property {boolean} you
 * @property {boolean} turn
 * @property {string} state how it stands: `ready`, `choosing`, `bidder`, `winner` or nothing
 */

/** Where seats are around the table, in per cent, by how many others there are: clockwise from the reader's left. */
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
 * @param {{seats: Sitting[], way: string | null, fewer: boolean, children: any, t: Say}} props
 * `seats` begin with the one that sits at the bottom and go on clockwise; `way` is null while nobody bids
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

/** Arrow heads on the rim say which way the bidding goes; the styles show those that no seat covers. */
function Arrows(/** @type {{way: string}} */ { way }) {
  return ["w", "nw", "n", "ne", "e"].map(
    (at) => html`<svg class="gra-arrow ${at} ${way}" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M5 3 L15 10 L5 17" /></svg>`,
  );
}

/** @param {Sitting & {fewer: boolean, t: Say}} props */
function Seat({ name, size, faces, active, turn, state, fewer, t }) {
  const said = !active ? "out" : turn ? "turn" : state;
  const sign = SIGNS[said];
  return html`<span class="gra-name">${name}</span>
    ${
      faces?.length
        ? html`<span class="gra-faces">
          <span class="sr">${faces.join(" ")}</span>
          ${faces.map((face, card) => html`<${Die} key=${card} value=${face} />`)}
        </span>`
        : html`<${Sizes} size=${size} fewer=${fewer} t=${t} />`
    }
    ${
      said &&
      html`<span class="gra-state ${said}">
        ${sign && html`<${Sign} of=${sign} />`}
        ${t(`board_state_${said}`, {}, "gra")}
      </span>`
    }`;
}

/**
 * Who bid what in this round, the newest in view.
 * @param {{rungs: Rung[], past: boolean, names: string[], jokers: boolean, t: Say}} props `past` when they are the last round's
 */
export function Ladder({ rungs, past, names, jokers, t }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const node = list.current;
    node?.scrollTo({ left: node.scrollWidth, top: 0, behavior: still() ? "auto" : "smooth" });
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
