/* The bid picker: how many, of which value, which way round where the table wants to know, and the doubt beside it. */
import { html } from "../vendor/preact.js";
import { directed, found, neighbour, numbers, values } from "./gra-bids.js";
import { Die, Sign, bidWords } from "./gra-parts.js";
import { percent } from "../text.js";

/** @typedef {import('./gra-bids.js').Offer} Offer */
/** @typedef {import('./gra-bids.js').Pick} Pick */

const VALUES = [1, 2, 3, 4, 5, 6];

/**
 * @param {{all: Offer[], pick: Pick | null, choose: (pick: Pick) => void, send: (move: string) => void, checkable: boolean,
 *          held: (value: number) => number, hint?: Hint | null, jokers: boolean, t: Say}} props
 */
export function Picker({ all, pick, choose, send, checkable, held, hint, jokers, t }) {
  const say = (/** @type {string} */ key, /** @type {Record<string, any>} */ given = {}) => t(key, given, "gra");
  const pointed = (/** @type {string | undefined} */ move) => (move && hint?.moves[0]?.[0] === move ? "" : undefined);
  const odds = (/** @type {string | undefined} */ move) => (move === undefined ? undefined : hint?.claims[move]);
  const doubt = odds("check");
  const check =
    checkable &&
    html`<button type="button" class="button big gra-check" data-pointed=${pointed("check")}
      onClick=${() => send("check")}>
      <span>
        ${say("board_check")}
        ${
          doubt !== undefined &&
          html` <small class="gra-odds" aria-hidden="true">${percent(doubt)}</small>
            <span class="sr">${say("board_fails_with", { chance: percent(doubt) })}</span>`
        }
      </span>
      <kbd aria-hidden="true">C</kbd>
    </button>`;
  if (!pick)
    return html`<div class="gra-picker">
      <p class="gra-only">${say("board_only_check")}</p>
      <div class="gra-send">${check}</div>
    </div>`;
  const offer = found(all, pick);
  const truth = odds(offer?.move);
  const bid = bidWords(pick.number, pick.value, t);
  const worded = say(!directed(all) ? "board_bid" : pick.way === "right" ? "board_bid_right" : "board_bid_left", {
    bid,
  });
  return html`<div class="gra-picker">
    <div class="gra-amount">
      <${Stepper} all=${all} pick=${pick} choose=${choose} t=${t} />
      <p class="gra-hold">
        ${holdWords(held(pick.value), t)}
        ${truth !== undefined && html` <b class="gra-odds">${say("board_holds_with", { chance: percent(truth) })}</b>`}
      </p>
    </div>
    <div class="gra-values" role="group" aria-label=${say("board_which_value")}>${VALUES.map(
      (value) => html`
      <${ValueButton} value=${value} pick=${pick} all=${all} choose=${choose} held=${held(value)} odds=${odds}
        jokers=${jokers} t=${t} />`,
    )}</div>
    ${
      directed(all) &&
      html`<div class="gra-ways" role="group" aria-label=${say("board_which_way")}>${["left", "right"].map(
        (way) => html`
        <button type="button" class="button" aria-pressed=${pick.way === way} onClick=${() => choose({ ...pick, way })}>
          <${Sign} of=${way} />${say(`board_way_${way}`)}</button>`,
      )}</div>`
    }
    <div class="gra-send">${check}
      <button type="button" class="button big primary gra-bids" aria-disabled=${!offer}
        data-pointed=${pointed(offer?.move)} onClick=${() => offer && send(offer.move)}>
        ${worded}
      </button>
    </div>
    <p class="gra-keys quiet">
      ${say(checkable ? "board_keys_answer" : directed(all) ? "board_keys_direct" : "board_keys_open")}
    </p>
  </div>`;
}

/**
 * While the others bid: what the player holds, in the same place.
 * @param {{held: (value: number) => number, jokers: boolean, t: Say}} props
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

/** @param {number} held @param {Say} t */
const holdWords = (held, t) => t(held ? "board_hold" : "board_hold_none", { held }, "gra");

/** How many: two big steps and the number between them. */
function Stepper(
  /** @type {{all: Offer[], pick: Pick, choose: (pick: Pick) => void, t: Say}} */ { all, pick, choose, t },
) {
  const list = numbers(all, pick.value);
  /** @param {1 | -1} way @param {string} key @param {string} sign */
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

/** One value as a die, with how many of it the player holds. */
function ValueButton(
  /** @type {{value: number, pick: Pick, all: Offer[], choose: (pick: Pick) => void, held: number, odds: (move: string | undefined) => number | undefined, jokers: boolean, t: Say}} */
  { value, pick, all, choose, held, odds, jokers, t },
) {
  const list = numbers(all, value);
  const nearest = [...list].sort((a, b) => Math.abs(a - pick.number) - Math.abs(b - pick.number))[0];
  const truth = odds(found(all, { ...pick, value, number: nearest })?.move);
  const words = `${value}: ${holdWords(held, t)}`;
  return html`<button type="button" class="gra-value" aria-pressed=${pick.value === value} aria-disabled=${!list.length}
    aria-label=${truth === undefined ? words : `${words} ${nearest}×${value} ${t("board_holds_with", { chance: percent(truth) }, "gra")}`}
    onClick=${() => list.length && choose({ ...pick, value, number: nearest })}>
    <${Die} value=${value} joker=${jokers} />
    ${truth !== undefined && html`<small class="gra-odds" aria-hidden="true">${percent(truth)}</small>`}
    <span class="gra-held" aria-hidden="true">${Array.from({ length: held }, () => html`<i></i>`)}</span></button>`;
}

/**
 * What the keys do to a pick; undefined for a key that means nothing here.
 * @param {string} key @param {Offer[]} all @param {Pick} pick @returns {Pick | undefined}
 */
export function keyed(key, all, pick) {
  if (key === "ArrowUp" || key === "ArrowDown") {
    return { ...pick, number: neighbour(numbers(all, pick.value), pick.number, key === "ArrowUp" ? 1 : -1) };
  }
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const value = neighbour(values(all), pick.value, key === "ArrowRight" ? 1 : -1);
    const number = numbers(all, value).sort((a, b) => Math.abs(a - pick.number) - Math.abs(b - pick.number))[0];
    return { ...pick, value, number };
  }
  if (key === "d" && directed(all)) return { ...pick, way: pick.way === "left" ? "right" : "left" };
  return undefined;
}
