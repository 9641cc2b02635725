// The reveal: all cards turn over one by one, the matching ones light up and are counted, then the round's loser is
// shown. That takes about three seconds and can be skipped. The verdict stays until the user goes on.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { useMore } from "../page/more.js";
import { reducedMotion, revealSpeed } from "../settings.js";
import { BidSign, Die, Sign, Sizes, faceWord, other } from "./gra-parts.js";
import { lastReveal, matchesBid, nextReveal, revealOrder } from "./gra-log.js";

/** @typedef {import("./gra-log.js").Reveal} Reveal */
/** @typedef {import("./gra-log.js").ShownHand} ShownHand */

// Milliseconds.
const START_DELAY = 420; // before the first card turns
const ALL_CARDS = 1250; // all cards together, at most
const ONE_CARD = 190; // one card, at most
const VERDICT_DELAY = 320; // between the last card and the verdict
const TOO_SOON = 350; // after the verdict: a press was still meant to skip the cards
/** The share of these times, by the user's setting. */
const PACE = { slow: 2.2, normal: 1, fast: 0.4 };

/**
 * Which reveal is shown. At the table it is the first one that the user has not read; it stays until they go on, and
 * the table does not wait for them. Reveals from before the user came count as read. In a replay it is the reveal of
 * the current step.
 * @param {Line[]} lines
 * @param {boolean} replay
 * @param {BoardProps["onReveal"]} onReveal
 */
export function useStage(lines, replay, onReveal) {
  const [read, setRead] = useState(lines.length); // reveals before this line are read
  const [closed, setClosed] = useState(-1); // in a replay
  const [recalled, setRecalled] = useState(false);
  const last = lastReveal(lines);
  const steps = lines.length;
  const next = replay ? (last?.at === steps - 1 && last.at !== closed ? last : null) : nextReveal(lines, read);
  useLayoutEffect(() => {
    if (replay && closed !== steps - 1) setClosed(-1); // coming back to the step shows it again
    if (replay) setRecalled(false);
  }, [steps]);
  const leave = (/** @type {number} */ at) => {
    setRecalled(false);
    setClosed(last?.at ?? -1);
    if (next && !replay) setRead(at + 1);
    if (next) onReveal("closed", at);
  };
  return {
    shown: next ?? (recalled ? last : null),
    recalled: !next && recalled,
    /** Whether another reveal has come meanwhile. */
    behind: next !== null && last !== null && last.at > next.at,
    recall: () => setRecalled(true),
    close: () => leave(next?.at ?? steps - 1),
    /** Close this reveal and those behind it. */
    catchUp: () => leave(steps - 1),
  };
}

/**
 * Return whether a reveal was good for a viewer. It is neutral for spectators and for players whom it did not concern.
 * @param {Reveal} reveal
 * @param {number | null} you
 * @returns {"won" | "lost" | "neutral"}
 */
export function moodOf({ loser, bidder, checker }, you) {
  if (you === null || loser === null) return "neutral";
  if (loser === you) return "lost";
  return you === bidder || you === checker ? "won" : "neutral";
}

/**
 * How many cards have been turned, and whether it is time for the verdict. Steps follow the clock, so a slow machine
 * skips some instead of taking longer.
 * @param {number} cards
 * @param {boolean} instant
 * @param {number} pace
 */
function useTurning(cards, instant, pace) {
  const [step, setStep] = useState(instant ? cards + 1 : 0);
  useEffect(() => {
    if (step > cards) return undefined;
    const started = performance.now();
    const each = Math.min(ONE_CARD, ALL_CARDS / cards);
    const timer = setInterval(() => {
      const passed = (performance.now() - started) / pace - START_DELAY;
      const turned = Math.min(cards, Math.floor(passed / each) + 1);
      setStep((was) => Math.max(was, passed > cards * each + VERDICT_DELAY ? cards + 1 : turned));
    }, 30);
    return () => clearInterval(timer);
  }, [step > cards]);
  return { turned: Math.min(step, cards), verdict: step > cards, finish: () => setStep(cards + 1) };
}

/**
 * @param {object} props
 * @param {Reveal} props.reveal
 * @param {string[]} props.names
 * @param {number | null} props.you
 * @param {boolean} props.fewer
 * @param {boolean} props.recalled shown again by the user: nothing moves
 * @param {boolean} props.replay
 * @param {boolean} props.behind whether another reveal has come meanwhile
 * @param {boolean} props.awaited whether the table waits for this user meanwhile
 * @param {() => void} props.onShown called with the verdict
 * @param {() => void} props.close
 * @param {() => void} props.catchUp
 * @param {Translate} props.t
 */
export function RevealStage(props) {
  const { reveal, names, you, fewer, recalled, replay, behind, awaited, onShown, close, catchUp, t } = props;
  const order = revealOrder(reveal);
  const faces = order.flatMap((seat) => reveal.hands[seat].faces);
  const pace = replay ? PACE.fast : PACE[revealSpeed.value];
  const { turned, verdict, finish } = useTurning(faces.length, recalled || reducedMotion(), pace);
  const lit = matchesBid(reveal);
  const counted = faces.slice(0, turned).filter(lit).length;
  const came = useRef(0); // when the verdict came by itself
  useLayoutEffect(() => {
    if (verdict) onShown();
  }, [verdict]);
  const proceed = () => {
    if (verdict && performance.now() - came.current > TOO_SOON) close();
    if (verdict) return;
    came.current = -TOO_SOON;
    finish();
  };
  if (verdict && !came.current) came.current = recalled || reducedMotion() ? -TOO_SOON : performance.now();
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useRevealKeys(proceed, catchUp, button, replay);
  const mood = verdict ? ` ${moodOf(reveal, you)}` : "";
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useMore(box);
  return html`<section class=${`gra-reveal${mood}`} aria-label=${t("board_reveal", {}, "gra")} ref=${box}
    onClick=${proceed}>
    <header>
      <p class="gra-question">
        ${t("board_doubts", { mine: reveal.checker === you, name: names[reveal.checker] }, "gra")}
      </p>
      <${Counter} reveal=${reveal} counted=${counted} bidder=${names[reveal.bidder]} t=${t} />
    </header>
    <${Hands} hands=${reveal.hands} order=${order} shown=${turned} lit=${lit} names=${names} bidder=${reveal.bidder}
      jokers=${reveal.value !== 1 && lit(1)} t=${t} />
    <footer>
      <${Verdict} reveal=${reveal} shown=${verdict} names=${names} you=${you} fewer=${fewer} t=${t} />
      <p class="gra-meanwhile quiet" role="status">
        ${verdict && (behind || awaited) && t(behind ? "board_meanwhile" : "board_awaited", {}, "gra")}
      </p>
      <div class="gra-doors">
        <button type="button" class=${`button${verdict && !recalled ? " primary" : ""}`} ref=${button}>
          ${t(recalled ? "board_close" : verdict ? "board_continue" : "board_skip", {}, "gra")}
        </button>
        ${
          verdict &&
          behind &&
          html`<button type="button" class="button" onClick=${(/** @type {MouseEvent} */ event) => {
            event.stopPropagation();
            catchUp();
          }}>
            ${t("board_catch_up", {}, "gra")}
          </button>`
        }
      </div>
    </footer>
  </section>`;
}

/**
 * Enter and Space proceed and Escape leads back to the table, wherever the focus is. A replay keeps its own keys.
 * @param {() => void} proceed
 * @param {() => void} close
 * @param {{current: HTMLButtonElement | null}} button
 * @param {boolean} replay
 */
function useRevealKeys(proceed, close, button, replay) {
  const latest = useRef({ proceed, close });
  latest.current = { proceed, close };
  useLayoutEffect(() => {
    if (replay) return undefined;
    button.current?.focus({ preventScroll: true });
    /** @param {KeyboardEvent} event */
    const onKeyDown = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const press = event.key === "Enter" || event.key === " ";
      const focused = event.target instanceof Element ? event.target.closest("a, button") : null;
      if (press && focused && focused !== button.current) return; // it has a meaning of its own
      if (event.key === "Escape") latest.current.close();
      else if (press && !event.repeat) latest.current.proceed();
      else if (!press) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("keydown", onKeyDown, true);
    return () => removeEventListener("keydown", onKeyDown, true);
  }, []);
}

/**
 * The bid, and the matching cards so far.
 * @param {{reveal: Reveal, counted: number, bidder: string, t: Translate}} props
 */
function Counter({ reveal, counted, bidder, t }) {
  const number = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (counted && !reducedMotion()) {
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
 * The cards of all players with the chosen faces.
 * @param {object} props
 * @param {ShownHand[]} props.hands
 * @param {number[]} props.order of the seats
 * @param {number} props.shown how many cards are open, in this order
 * @param {(face: number) => boolean} props.lit
 * @param {string[]} props.names
 * @param {number} props.bidder
 * @param {boolean} props.jokers
 * @param {Translate} props.t
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
 * A card that turns from its back to the chosen face.
 * @param {{face: number, down: number, open: boolean, lit: boolean, jokers: boolean, t: Translate}} props
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
 * Whether the bid holds, who loses the round, and what follows.
 * @param {{reveal: Reveal, shown: boolean, names: string[], you: number | null, fewer: boolean, t: Translate}} props
 */
function Verdict({ reveal, shown, names, you, fewer, t }) {
  const { loser, size, holds, out, tie } = reveal;
  const who = (/** @type {number} */ seat) => ({ mine: seat === you, name: names[seat] });
  const before = loser === null ? size : reveal.hands[loser].cards.length;
  return html`<div class="gra-verdict" role="status">${
    shown &&
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
