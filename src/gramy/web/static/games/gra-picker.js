// The bid picker: number, value, direction where the game asks for it, and the button that checks the bid before.
import { html } from "../vendor/preact.js";
import { needsDirection, findBid, neighbour, numbers, values } from "./gra-bids.js";
import { Die, Sign, bidWords } from "./gra-parts.js";
import { percent } from "../text.js";

/** @typedef {import("./gra-bids.js").LegalBid} LegalBid */
/** @typedef {import("./gra-bids.js").Pick} Pick */

const VALUES = [1, 2, 3, 4, 5, 6];

/**
 * @param {object} props
 * @param {LegalBid[]} props.bids
 * @param {Pick | null} props.pick
 * @param {(pick: Pick) => void} props.choose
 * @param {(move: string) => void} props.send
 * @param {boolean} props.checkable
 * @param {(value: number) => number} props.held
 * @param {(bid: Pick) => boolean} props.possible whether a bid can be true, given the player's own cards
 * @param {Hint | null} [props.hint]
 * @param {boolean} props.jokers
 * @param {Translate} props.t
 */
export function Picker({ bids, pick, choose, send, checkable, held, possible, hint, jokers, t }) {
  const text = (/** @type {string} */ key, /** @type {Record<string, any>} */ filled = {}) => t(key, filled, "gra");
  const highlighted = (/** @type {string | undefined} */ move) =>
    move && hint?.moves[0]?.[0] === move ? "" : undefined;
  const odds = (/** @type {string | undefined} */ move) => (move === undefined ? undefined : hint?.claims[move]);
  const checkOdds = odds("check");
  const hopeless = pick !== null && !possible(pick);
  const check =
    checkable &&
    html`<button type="button" class=${`button big gra-check${hopeless ? " primary" : ""}`}
      data-highlighted=${highlighted("check")}
      onClick=${() => send("check")}>
      <span>
        ${text("board_check")}
        ${
          checkOdds !== undefined &&
          html` <small class="gra-odds" aria-hidden="true">${percent(checkOdds)}</small>
            <span class="sr">${text("board_fails_with", { chance: percent(checkOdds) })}</span>`
        }
      </span>
      <kbd aria-hidden="true">C</kbd>
    </button>`;
  if (!pick)
    return html`<div class="gra-picker">
      <p class="gra-only">${text("board_only_check")}</p>
      <div class="gra-send">${check}</div>
    </div>`;
  const bid = findBid(bids, pick);
  const bidOdds = odds(bid?.move);
  const label = text(
    !needsDirection(bids) ? "board_bid" : pick.way === "right" ? "board_bid_right" : "board_bid_left",
    {
      bid: bidWords(pick.number, pick.value, t),
    },
  );
  return html`<div class="gra-picker" data-bid=${`${pick.number}x${pick.value}`}>
    <div class="gra-amount">
      <${Stepper} bids=${bids} pick=${pick} choose=${choose} t=${t} />
      <p class="gra-hold">
        ${hopeless ? text("board_impossible") : holdWords(held(pick.value), t)}
        ${
          bidOdds !== undefined &&
          html` <b class="gra-odds">
            ${text("board_holds_with", { chance: percent(bidOdds) })}
          </b>`
        }
      </p>
    </div>
    <div class="gra-values" role="group" aria-label=${text("board_which_value")}>${VALUES.map(
      (value) => html`
      <${ValueButton} value=${value} pick=${pick} bids=${bids} choose=${choose} held=${held(value)} odds=${odds}
        jokers=${jokers} t=${t} />`,
    )}</div>
    ${
      needsDirection(bids) &&
      html`<div class="gra-ways" role="group" aria-label=${text("board_which_way")}>${["left", "right"].map(
        (way) => html`
        <button type="button" class="button" aria-pressed=${pick.way === way} onClick=${() => choose({ ...pick, way })}>
          <${Sign} of=${way} />${text(`board_way_${way}`)}</button>`,
      )}</div>`
    }
    <div class="gra-send">${check}
      <button type="button" class=${`button big gra-bids${hopeless ? "" : " primary"}`}
        aria-disabled=${!bid}
        data-highlighted=${highlighted(bid?.move)} onClick=${() => bid && send(bid.move)}>
        ${label}
      </button>
    </div>
    <p class="gra-keys quiet">
      ${text(checkable ? "board_keys_answer" : needsDirection(bids) ? "board_keys_direct" : "board_keys_open")}
    </p>
  </div>`;
}

/**
 * What the player holds, shown instead of the picker while others bid.
 * @param {{held: (value: number) => number, jokers: boolean, t: Translate}} props
 */
export function Holding({ held, jokers, t }) {
  return html`<div class="gra-picker waiting">
    <p class="gra-hold">${t("board_you_hold", {}, "gra")}</p>
    <ul class="gra-values">${VALUES.map(
      (value) => html`<li key=${value} class=${`gra-value${held(value) ? "" : " none"}`}>
        <${Die} value=${value} joker=${jokers} />
        <b aria-hidden="true">${held(value)}</b>
        <span class="sr">${`${value}: ${holdWords(held(value), t)}`}</span>
      </li>`,
    )}</ul>
  </div>`;
}

/**
 * @param {number} held
 * @param {Translate} t
 */
const holdWords = (held, t) => t(held ? "board_hold" : "board_hold_none", { held }, "gra");

/**
 * The number of a bid, between two buttons.
 * @param {{bids: LegalBid[], pick: Pick, choose: (pick: Pick) => void, t: Translate}} props
 */
function Stepper({ bids, pick, choose, t }) {
  const list = numbers(bids, pick.value);
  /**
   * @param {1 | -1} way
   * @param {string} key
   * @param {string} sign
   */
  const step = (way, key, sign) => {
    const to = neighbour(list, pick.number, way);
    return html`<button type="button" class="gra-step" aria-label=${t(key, {}, "gra")}
      aria-disabled=${to === pick.number}
      onClick=${() => choose({ ...pick, number: to })}><span aria-hidden="true">${sign}</span></button>`;
  };
  return html`<div class="gra-stepper" role="group" aria-label=${t("board_how_many", {}, "gra")}>
    ${step(-1, "board_fewer", "−")}
    <output class="gra-number">${pick.number}</output>
    ${step(1, "board_more", "+")}
  </div>`;
}

/**
 * A value as a die, with the number of cards that the player holds of it.
 * @param {object} props
 * @param {number} props.value
 * @param {Pick} props.pick
 * @param {LegalBid[]} props.bids
 * @param {(pick: Pick) => void} props.choose
 * @param {number} props.held
 * @param {(move: string | undefined) => number | undefined} props.odds
 * @param {boolean} props.jokers
 * @param {Translate} props.t
 */
function ValueButton({ value, pick, bids, choose, held, odds, jokers, t }) {
  const list = numbers(bids, value);
  const nearest = [...list].sort((a, b) => Math.abs(a - pick.number) - Math.abs(b - pick.number))[0];
  const bidOdds = odds(findBid(bids, { ...pick, value, number: nearest })?.move);
  const words = [`${value}: ${holdWords(held, t)}`];
  if (bidOdds !== undefined)
    words.push(`${nearest}×${value}`, t("board_holds_with", { chance: percent(bidOdds) }, "gra"));
  return html`<button type="button" class="gra-value" aria-pressed=${pick.value === value} aria-disabled=${!list.length}
    aria-label=${words.join(" ")}
    onClick=${() => list.length && choose({ ...pick, value, number: nearest })}>
    <${Die} value=${value} joker=${jokers} />
    ${bidOdds !== undefined && html`<small class="gra-odds" aria-hidden="true">${percent(bidOdds)}</small>`}
    <span class="gra-held" aria-hidden="true">${Array.from({ length: held }, () => html`<i></i>`)}</span></button>`;
}

/**
 * Return the pick after a key, or undefined for a key without a meaning here.
 * @param {string} key
 * @param {LegalBid[]} bids
 * @param {Pick} pick
 * @returns {Pick | undefined}
 */
export function pickByKey(key, bids, pick) {
  if (key === "ArrowUp" || key === "ArrowDown") {
    return { ...pick, number: neighbour(numbers(bids, pick.value), pick.number, key === "ArrowUp" ? 1 : -1) };
  }
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const value = neighbour(values(bids), pick.value, key === "ArrowRight" ? 1 : -1);
    const number = numbers(bids, value).sort((a, b) => Math.abs(a - pick.number) - Math.abs(b - pick.number))[0];
    return { ...pick, value, number };
  }
  if (key === "d" && needsDirection(bids)) return { ...pick, way: pick.way === "left" ? "right" : "left" };
  return undefined;
}
