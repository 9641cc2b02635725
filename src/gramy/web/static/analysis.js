// A finished match looked back at: the chance to win as a curve, what each decision gave away, and what would have been better.
import { html, useEffect, useState } from "./vendor/preact.js";
import { Icon } from "./page/icon.js";
import { Sheet } from "./page/sheet.js";
import { reasonOf, request } from "./request.js";
import { percent, say, t } from "./text.js";
import { styled } from "./ui/styles.js";

await styled("./style/analysis.css", import.meta.url);

/** How often we ask how far it is. */
const PACE = 700;
/** From here on a decision is marked, as `gramy.analysis` marks it; below the last, nothing was given away that could be told. */
const MISTAKE = 0.1,
  BLUNDER = 0.2,
  NOTHING = 0.005;
const SIGN = /** @type {Record<string, string>} */ ({ mistake: "?", blunder: "??" });

/** Asks for the analysis when the reader wants it, and again until it is there. @param {string} table @param {number} round */
export function useAnalysis(table, round) {
  const [wanted, setWanted] = useState(false);
  const [answer, setAnswer] = useState({ done: 0, of: 0, analysis: /** @type {Analysis | null} */ (null) });
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let next;
    const look = () =>
      request(`/api/analysis/${encodeURIComponent(table)}/${round}`).then(
        (found) => {
          if (!current) return;
          setAnswer(found);
          if (!found.analysis) next = setTimeout(look, PACE);
        },
        (error) => {
          if (!current) return;
          setProblem(reasonOf(error));
          setWanted(false);
        },
      );
    setProblem(null);
    void look();
    return () => {
      current = false;
      clearTimeout(next);
    };
  }, [wanted, table, round]);
  return { ...answer, wanted, problem, start: () => setWanted(true) };
}

/** The marked decisions by their lines. @param {Analysis | null} analysis @returns {Map<number, Decision>} */
export const marked = (analysis) =>
  new Map(analysis?.decisions.filter(({ mark }) => mark).map((one) => [one.line, one]));

/** What is said of a decision. @param {Decision | undefined} decision @param {(move: string) => string} wording */
export function verdict(decision, wording) {
  if (!decision) return "";
  const { mark, chance, cost, best, best_chance, claim } = decision;
  const words = t("verdict", {
    mark: mark || (cost < NOTHING ? "best" : "small"),
    chance: percent(chance),
    cost: percent(cost),
    move: wording(best),
    best: percent(best_chance),
  });
  if (claim === null) return words;
  const [first, ...more] = t("claim", { chance: percent(claim) }, "analysis");
  return `${first?.toUpperCase()}${more.join("")}. ${words}`;
}

/** The button that begins it, while there is anything to begin. @param {{looking: ReturnType<typeof useAnalysis>}} props */
export function AnalyseButton({ looking: { wanted, start } }) {
  return (
    !wanted &&
    html`<button type="button" class="button analyse" onClick=${start}>
      <${Icon} name="chart" size=${20} /> ${t("analyse")}
    </button>`
  );
}

/**
 * @param {object} props
 * @param {ReturnType<typeof useAnalysis>} props.looking
 * @param {number} props.at the line that is shown
 * @param {number} props.last
 * @param {string[]} props.names
 * @param {number | null} props.you whose eyes the reader looks through
 * @param {string} props.words the verdict on the decision that is shown
 * @param {(line: number) => void} props.jump
 */
export function LookBack({ looking, at, last, names, you, words, jump }) {
  const { analysis, done, of, problem, wanted } = looking;
  const [open, setOpen] = useState(false);
  if (problem)
    return html`<section class="look-back panel"><p class="problem" role="alert">${say(problem)}</p></section>`;
  if (!wanted) return null;
  if (!analysis) {
    const far = t("analysing", { done, of });
    return html`<section class="look-back panel making">
      <label><span>${far}</span><progress max=${Math.max(1, of)} value=${done}></progress></label>
    </section>`;
  }
  const decision = analysis.decisions.find((one) => one.line === at);
  const marks = mistakes(analysis, you);
  return html`<section class="look-back panel" aria-label=${t("chance_curve")}>
    <div class="look-words">
      <p class=${decision?.mark}>
        ${decision?.mark && html`<${Mark} mark=${decision.mark} />`}
        <span>${words || html`<span class="quiet">${t("chance_curve")}</span>`}</span>
      </p>
      ${
        marks.length > 0 &&
        html`<button type="button" class="tool" aria-label=${t("next_mistake")}
          title=${`${t("next_mistake")} (N)`} aria-keyshortcuts="N" onClick=${() => jump(nextMistake(analysis, at, you))}>
          <b aria-hidden="true">?</b>
          <${Icon} name="next" size=${14} />
        </button>`
      }
      <button type="button" class="tool" aria-label=${t("care")} title=${t("care")} onClick=${() => setOpen(true)}>
        <${Icon} name="log" size=${19} />
      </button>
    </div>
    <${Chart} analysis=${analysis} marks=${marks} at=${at} last=${last} names=${names} you=${you} jump=${jump} />
    ${
      open &&
      html`<${Sheet} title=${t("care")} close=${() => setOpen(false)}>
        <${Care} analysis=${analysis} names=${names} />
      </${Sheet}>`
    }
  </section>`;
}

/** What a seat did wrong, or everybody. @param {Analysis | null} analysis @param {number | null} you */
const mistakes = (analysis, you) => [...marked(analysis).values()].filter(({ seat }) => you === null || seat === you);

/** The line of the next mistake; after the last comes the first. @param {Analysis | null} analysis @param {number} at @param {number | null} you */
export function nextMistake(analysis, at, you) {
  const marks = mistakes(analysis, you);
  return (marks.find(({ line }) => line > at) ?? marks[0])?.line ?? at;
}

/** @param {{mark: string}} props */
export const Mark = ({ mark }) => html`<b class=${`mark-sign ${mark}`} aria-hidden="true">${SIGN[mark]}</b>`;

/** Marks on the slider, at their steps. @param {{analysis: Analysis | null, you: number | null, last: number}} props */
export const Ticks = ({ analysis, you, last }) => html`<span class="ticks" aria-hidden="true">
  ${mistakes(analysis, you).map(
    ({ line, mark }) => html`<i key=${line} class=${mark}
      style=${{ "--where": (line - 1) / Math.max(1, last - 1) }}>
    </i>`,
  )}
</span>`;

/** @param {{analysis: Analysis, marks: Decision[], at: number, last: number, names: string[], you: number | null, jump: (line: number) => void}} props */
function Chart({ analysis, marks, at, last, names, you, jump }) {
  const [over, setOver] = useState(/** @type {number | null} */ (null));
  const { curves, together } = drawn(analysis);
  const lead = together ? 0 : (you ?? 0); // whose curve is told where the pointer is
  /** @param {PointerEvent} event */
  const lineAt = (event) => {
    const { left, width } = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    return Math.max(1, Math.min(last, Math.round(((event.clientX - left) / width) * last)));
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    setOver(lineAt(event));
    if (event.buttons === 1) jump(lineAt(event));
  };
  /** @param {PointerEvent} event */
  const press = (event) =>
    event.button === 0 && !(event.target instanceof Element && event.target.closest("button")) && jump(lineAt(event));
  const told = over === null ? null : chanceAt(curves[lead] ?? [], over);
  return html`<div class="chart" onPointerDown=${press} onPointerMove=${move} onPointerLeave=${() => setOver(null)}>
    <svg viewBox=${`0 0 ${last} 100`} preserveAspectRatio="none" role="img" aria-label=${t("chance_curve")}>
      <path class="half-way" d=${`M0 50H${last}`} />
      ${curves.map(
        (curve, seat) => html`<polyline key=${seat}
          class=${`curve seat-${seat}${together || you === null || seat === you ? "" : " other"}`}
          points=${curve.map(({ line, chance }) => `${line},${100 - 100 * chance}`).join(" ")} />`,
      )}
      ${over !== null && html`<path class="over" d=${`M${over} 0V100`} />`}
      <path class="now" d=${`M${at} 0V100`} />
    </svg>
    ${marks.map(
      ({ line, mark, chance }) => html`<button key=${line} type="button" class=${`mark-sign ${mark}`}
        aria-current=${line === at ? "step" : undefined}
        style=${{ "--x": line / last, "--y": 1 - chance }} onClick=${() => jump(line)}>
        <span aria-hidden="true">${SIGN[mark]}</span>
        <span class="sr">${t("marked_at", { mark, number: line })}</span>
      </button>`,
    )}
    ${
      told !== null &&
      over !== null &&
      html`<span class="chart-note number" style=${{ "--x": over / last }}
        aria-hidden="true">
        ${!together && curves.length > 1 ? `${names[lead]} ` : ""}
        ${percent(told)}
      </span>`
    }
  </div>`;
}

/** The curves to draw: each seat's own, or one where all win together. @param {Analysis} analysis */
function drawn({ curves }) {
  const together = curves.length > 1 && curves.every((curve) => JSON.stringify(curve) === JSON.stringify(curves[0]));
  const started = curves.map((curve) => (curve[0] ? [{ line: 0, chance: curve[0].chance }, ...curve] : curve));
  return { curves: together ? started.slice(0, 1) : started, together };
}

/** @param {{line: number, chance: number}[]} curve @param {number} line */
const chanceAt = (curve, line) => curve.findLast((point) => point.line <= line)?.chance ?? null;

/** How well everybody decided. @param {{analysis: Analysis, names: string[]}} props */
function Care({ analysis, names }) {
  return html`<ul class="care">
      ${analysis.accuracy.map(
        ({ decisions, cost, mistakes, blunders }, seat) => html`<li key=${seat}>
          <span class=${`dot seat-${seat}`} aria-hidden="true"></span>
          <div><b>${names[seat]}</b>
            <p class="quiet">
              ${t("decisions", { number: decisions }, "analysis")}; ${t("cost", { cost: percent(cost, 1) }, "analysis")}
            </p>
          </div>
          <p class="care-marks"><span><${Mark} mark="mistake" /> ${t("mistakes", { number: mistakes }, "analysis")}</span>
            <span><${Mark} mark="blunder" /> ${t("blunders", { number: blunders }, "analysis")}</span></p>
        </li>`,
      )}
    </ul>
    <p class="quiet">${t("marks", { mistake: percent(MISTAKE), blunder: percent(BLUNDER) }, "analysis")}</p>`;
}
