/*
 * The reveal: everybody's cards turn over one after another, the matching ones light up and are counted against the bid,
 * then it is said who loses the round. It takes three seconds or so and can be cut short at any time.
 */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { BidSign, Die, Sign, Sizes, faceWord, other, still } from "./gra-parts.js";
import { matching, turning } from "./gra-story.js";

/** @typedef {import('./gra-story.js').Reveal} Reveal */
/** @typedef {import('./gra-story.js').Shown} Shown */

/* Milliseconds. */
const SUSPENSE = 420; // before the first card turns
const TURNING = 1250; // all cards together, at most
const EACH = 190; // one card, at most
const BREATH = 320; // between the last card and the verdict
const VERDICT = 1350; // to read who has lost
const MOMENT = 800; // more for somebody who is out, or a tie-break
const READING = 1000; // more where nothing moved, and so nothing has been read on the way
const REPLAYED = 0.4; // a replay goes on by itself, so it turns cards faster

/**
 * Which reveal is on stage. At the table that is a new one, before anything of the next round is shown, but not one that
 * happened before the reader came; in a replay it is the one that the step shows.
 * @param {Reveal | null} last @param {number} lines how many have happened @param {boolean} replay @param {BoardProps["tell"]} tell
 */
export function useStage(last, lines, replay, tell) {
  const seen = useRef(lines);
  const [stage, setStage] = useState(/** @type {{at: number, recalled: boolean} | null} */ (null));
  const [closed, setClosed] = useState(-1);
  const fresh = last !== null && last.at !== closed && (replay ? last.at === lines - 1 : last.at >= seen.current);
  useLayoutEffect(() => {
    seen.current = lines;
    if (fresh && !replay) setStage({ at: last.at, recalled: false });
    if (replay && closed !== lines - 1) setClosed(-1); // who comes back to a step sees it again
  }, [lines]);
  const kept = !replay || stage?.recalled ? stage : null;
  return {
    shown: fresh || (last !== null && kept?.at === last.at) ? last : null,
    recalled: !fresh && kept?.recalled === true,
    recall: () => {
      if (last) setStage({ at: last.at, recalled: true });
    },
    close: () => {
      setStage(null);
      setClosed(last?.at ?? -1);
      tell("cleared");
    },
  };
}

/**
 * How many cards have been turned, one by one, and whether it is time for the verdict. Steps follow the clock and not each
 * other, so that a slow machine leaves some out instead of taking longer.
 * @param {number} cards @param {boolean} instant @param {number} pace
 */
function useTurning(cards, instant, pace) {
  const [step, setStep] = useState(instant ? cards + 1 : 0);
  useEffect(() => {
    if (step > cards) return undefined;
    const begun = performance.now();
    const each = Math.min(EACH, TURNING / cards);
    const ticking = setInterval(() => {
      const passed = (performance.now() - begun) / pace - SUSPENSE;
      const turned = Math.min(cards, Math.floor(passed / each) + 1);
      setStep((was) => Math.max(was, passed > cards * each + BREATH ? cards + 1 : turned));
    }, 30);
    return () => clearInterval(ticking);
  }, [step > cards]);
  return { turned: Math.min(step, cards), verdict: step > cards, finish: () => setStep(cards + 1) };
}

/**
 * @param {{reveal: Reveal, names: string[], you: number | null, fewer: boolean, recalled: boolean, replay: boolean,
 *          told: () => void, close: () => void, t: Say}} props
 * `recalled` when the player looks at it again: nothing moves, and it stays until it is closed
 */
export function RevealStage({ reveal, names, you, fewer, recalled, replay, told, close, t }) {
  const order = turning(reveal);
  const faces = order.flatMap((seat) => reveal.hands[seat].faces);
  const { turned, verdict, finish } = useTurning(faces.length, recalled || still(), replay ? REPLAYED : 1);
  const lit = matching(reveal);
  const counted = faces.slice(0, turned).filter(lit).length;
  useEffect(() => {
    if (!verdict || recalled || replay) return undefined;
    const moment = reveal.out.length > 0 || reveal.tie !== null;
    const timer = setTimeout(close, VERDICT + (moment ? MOMENT : 0) + (still() ? READING : 0));
    return () => clearTimeout(timer);
  }, [verdict, recalled]);
  useLayoutEffect(() => {
    if (verdict) told();
  }, [verdict]);
  const onward = () => (verdict ? close() : finish());
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useKeys(onward, close, button, replay);
  const mood = verdict ? (reveal.holds ? " holds" : " fails") : "";
  return html`<section class=${`gra-reveal${mood}`} aria-label=${t("board_reveal", {}, "gra")} onClick=${onward}>
    <header>
      <p class="gra-question">
        ${t("board_doubts", { mine: reveal.checker === you, name: names[reveal.checker] }, "gra")}
      </p>
      <${Counter} reveal=${reveal} counted=${counted} bidder=${names[reveal.bidder]} t=${t} />
    </header>
    <${Hands} hands=${reveal.hands} order=${order} shown=${turned} lit=${lit} names=${names} bidder=${reveal.bidder}
      jokers=${reveal.value !== 1 && lit(1)} t=${t} />
    <footer>
      <${Verdict} reveal=${reveal} said=${verdict} names=${names} you=${you} fewer=${fewer} t=${t} />
      <button type="button" class="button" ref=${button}>
        ${t(recalled ? "board_close" : verdict ? "board_continue" : "board_skip", {}, "gra")}
      </button>
    </footer>
  </section>`;
}

/**
 * Enter and Space go on, Escape ends it, wherever the focus is: nothing else can be done meanwhile. A replay keeps its keys.
 * @param {() => void} onward @param {() => void} close @param {{current: HTMLButtonElement | null}} button @param {boolean} replay
 */
function useKeys(onward, close, button, replay) {
  const latest = useRef({ onward, close });
  latest.current = { onward, close };
  useLayoutEffect(() => {
    if (replay) return undefined;
    button.current?.focus({ preventScroll: true });
    /** @param {KeyboardEvent} press */
    const hear = (press) => {
      if (press.ctrlKey || press.metaKey || press.altKey || document.querySelector("dialog[open]")) return;
      if (press.key === "Escape") latest.current.close();
      else if (press.key === "Enter" || press.key === " ") latest.current.onward();
      else return;
      press.preventDefault();
      press.stopPropagation();
    };
    addEventListener("keydown", hear, true);
    return () => removeEventListener("keydown", hear, true);
  }, []);
}

/**
 * The bid, and how many have been found so far.
 * @param {{reveal: Reveal, counted: number, bidder: string, t: Say}} props
 */
function Counter({ reveal, counted, bidder, t }) {
  const number = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (counted && !still()) {
      number.current?.animate([{ transform: "scale(1.45)" }, { transform: "none" }], {
        duration: 260,
        easing: "cubic-bezier(.2, 1.3, .4, 1)",
      });
    }
  }, [counted]);
  return html`<div class="gra-counter">
    <div class="gra-asked">
      <small>${bidder}</small>
      <${BidSign} number=${reveal.number} value=${reveal.value} t=${t} />
    </div>
    <div class="gra-found"><small>${t("board_found", {}, "gra")}</small><b ref=${number}>${counted}</b></div>
    <div class="gra-share" aria-hidden="true">
      <i style=${{ transform: `scaleX(${Math.min(1, counted / reveal.number)})` }}></i>
    </div>
  </div>`;
}

/**
 * Everybody's cards with the chosen faces; the first `shown` of them, in order, lie open.
 * @param {{hands: Shown[], order: number[], shown: number, lit: (face: number) => boolean, names: string[], bidder: number,
 *          jokers: boolean, t: Say}} props
 */
export function Hands({ hands, order, shown, lit, names, bidder, jokers, t }) {
  let before = 0;
  const most = Math.max(...order.map((seat) => hands[seat].cards.length));
  return html`<ul class=${`gra-hands of-${order.length}`} style=${{ "--most": Math.max(3, most) }}>${order.map(
    (seat) => {
      const { cards, faces } = hands[seat];
      const first = before;
      before += cards.length;
      return html`<li key=${seat} class=${seat === bidder ? "bidder" : ""}><span class="gra-name">${names[seat]}</span>
        <ul class="gra-row">${faces.map(
          (face, i) => html`<li key=${i}>
            <${OpenCard} face=${face} down=${other(cards[i], face)} open=${first + i < shown} lit=${lit(face)}
              jokers=${jokers} t=${t} />
          </li>`,
        )}
      </ul></li>`;
    },
  )}</ul>`;
}

/**
 * One card that turns from its back to the face that counts.
 * @param {{face: number, down: number, open: boolean, lit: boolean, jokers: boolean, t: Say}} props
 */
function OpenCard({ face, down, open, lit, jokers, t }) {
  const label = open
    ? t(lit ? "board_card_matches" : "board_card_differs", { up: faceWord(face, jokers, t), down }, "gra")
    : t("board_card_hidden", {}, "gra");
  return html`<span class=${`gra-open${open ? " shown" : ""}${open && lit ? " lit" : ""}`} role="img"
    aria-label=${label}>
    <span class="gra-flip">
      <span class="gra-back"></span>
      <span class=${`gra-face v${face}`}><${Die} value=${face} joker=${jokers} /></span>
    </span>
    ${open && lit && html`<span class="gra-tick"><${Sign} of="check" /></span>`}
  </span>`;
}

/**
 * Whether the bid holds, who loses the round, and what that means for them.
 * @param {{reveal: Reveal, said: boolean, names: string[], you: number | null, fewer: boolean, t: Say}} props
 */
function Verdict({ reveal, said, names, you, fewer, t }) {
  const { loser, size, holds, out, tie } = reveal;
  const who = (/** @type {number} */ seat) => ({ mine: seat === you, name: names[seat] });
  const before = loser === null ? size : reveal.hands[loser].cards.length;
  return html`<div class="gra-verdict" role="status">${
    said &&
    html`
      <p class="gra-truth">
        <${Sign} of=${holds ? "check" : "cross"} />
        ${t(holds ? "board_holds" : "board_fails", {}, "gra")}
      </p>
      ${
        loser !== null &&
        html`<p class=${loser === you ? "you" : ""}>${t("board_loses", who(loser), "gra")}
          ${size !== before && html`<${Sizes} size=${size} change=${before} fewer=${fewer} t=${t} />`}</p>`
      }
      ${out.map((seat) => html`<p class="gra-moment">${t("board_eliminated", who(seat), "gra")}</p>`)}
      ${
        tie &&
        html`<p class="gra-moment">
          ${t("board_tie_break", { names: tie.map((seat) => names[seat]).join(", ") }, "gra")}
        </p>`
      }`
  }
  </div>`;
}
