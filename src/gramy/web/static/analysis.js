// The analysis of a finished match: the chance to win as a curve, what each decision cost, and the better moves.
import { html, useEffect, useState } from "./vendor/preact.js";
import { Icon } from "./page/icon.js";
import { Sheet } from "./page/sheet.js";
import { reasonOf, request } from "./request.js";
import { percent, t, translate } from "./text.js";
import { seatColour } from "./table/seats.js";
import { loadStyles } from "./ui/styles.js";

await loadStyles("./style/analysis.css", import.meta.url);

/** Milliseconds between two requests for the progress. */
const POLL_INTERVAL = 700;
/** From this cost on a decision is marked, as in `gramy.analysis`; below NOTHING the cost is noise. */
const MISTAKE = 0.1;
const BLUNDER = 0.2;
const NOTHING = 0.005;
const SIGN = /** @type {Record<string, string>} */ ({ mistake: "?", blunder: "??" });

/**
 * Request the analysis once it is started, and again until it is finished.
 * @param {string} table
 * @param {number} round
 */
export function useAnalysis(table, round) {
  const [started, setStarted] = useState(false);
  const [answer, setAnswer] = useState({ done: 0, of: 0, analysis: /** @type {Analysis | null} */ (null) });
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  useEffect(() => {
    if (!started) return undefined;
    let current = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let next;
    const poll = () =>
      request(`/api/analysis/${encodeURIComponent(table)}/${round}`).then(
        (found) => {
          if (!current) return;
          setAnswer(found);
          if (!found.analysis) next = setTimeout(poll, POLL_INTERVAL);
        },
        (error) => {
          if (!current) return;
          setProblem(reasonOf(error));
          setStarted(false);
        },
      );
    setProblem(null);
    void poll();
    return () => {
      current = false;
      clearTimeout(next);
    };
  }, [started, table, round]);
  return { ...answer, started, problem, start: () => setStarted(true) };
}

/**
 * Return the decisions marked as mistakes, by line.
 * @param {Analysis | null} analysis
 * @returns {Map<number, Decision>}
 */
export const marked = (analysis) =>
  new Map(analysis?.decisions.filter(({ mark }) => mark).map((one) => [one.line, one]));

/**
 * Return a sentence about a decision.
 * @param {Decision | undefined} decision
 * @param {(move: string) => string} describeMove
 */
export function verdict(decision, describeMove) {
  if (!decision) return "";
  const { mark, chance, cost, best, best_chance, claim } = decision;
  const words = t("verdict", {
    mark: mark || (cost < NOTHING ? "best" : "small"),
    chance: percent(chance),
    cost: percent(cost),
    move: describeMove(best),
    best: percent(best_chance),
  });
  if (claim === null) return words;
  const [first, ...more] = t("claim", { chance: percent(claim) }, "analysis");
  return `${first?.toUpperCase()}${more.join("")}. ${words}`;
}

/** @param {{analysing: ReturnType<typeof useAnalysis>}} props */
export function AnalyseButton({ analysing: { started, start } }) {
  return (
    !started &&
    html`<button type="button" class="button analyse" onClick=${start}>
      <${Icon} name="chart" size=${20} /> ${t("analyse")}
    </button>`
  );
}

/**
 * @param {object} props
 * @param {ReturnType<typeof useAnalysis>} props.analysing
 * @param {number} props.at the line that is shown
 * @param {number} props.last
 * @param {string[]} props.names
 * @param {number | null} props.you the seat whose view is shown
 * @param {string} props.words the sentence about the decision that is shown
 * @param {string} props.reason why the better move is better, for a mistake
 * @param {(line: number) => void} props.jump
 */
export function AnalysisPanel({ analysing, at, last, names, you, words, reason, jump }) {
  const { analysis, done, of, problem, started } = analysing;
  const [open, setOpen] = useState(false);
  if (problem)
    return html`<section class="look-back panel"><p class="problem" role="alert">${translate(problem)}</p></section>`;
  if (!started) return null;
  if (!analysis) {
    return html`<section class="look-back panel making">
      <label>
        <span>${t("analysing", { done, of })}</span>
        <progress max=${Math.max(1, of)} value=${done}></progress>
      </label>
    </section>`;
  }
  const decision = analysis.decisions.find((one) => one.line === at);
  const marks = mistakes(analysis, you);
  return html`<section class="look-back panel" aria-label=${t("chance_curve")}>
    <div class="look-words">
      <p class=${decision?.mark}>
        ${decision?.mark && html`<${Mark} mark=${decision.mark} />`}
        <span>${words || html`<span class="quiet">${t("chance_curve")}</span>`}
          ${reason && html`${" "}<span class="reason">${reason}</span>`}</span>
      </p>
      ${
        marks.length > 0 &&
        html`<button type="button" class="tool" aria-label=${t("next_mistake")}
          title=${`${t("next_mistake")} (N)`} aria-keyshortcuts="N"
          onClick=${() => jump(nextMistake(analysis, at, you))}>
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
        <${Accuracy} analysis=${analysis} names=${names} you=${you} />
      </${Sheet}>`
    }
  </section>`;
}

/**
 * Return the mistakes of a seat, or of all.
 * @param {Analysis | null} analysis
 * @param {number | null} you
 */
const mistakes = (analysis, you) => [...marked(analysis).values()].filter(({ seat }) => you === null || seat === you);

/**
 * Return the line of the next mistake; after the last comes the first.
 * @param {Analysis | null} analysis
 * @param {number} at
 * @param {number | null} you
 */
export function nextMistake(analysis, at, you) {
  const marks = mistakes(analysis, you);
  return (marks.find(({ line }) => line > at) ?? marks[0])?.line ?? at;
}

/** @param {{mark: string}} props */
export const Mark = ({ mark }) => html`<b class=${`mark-sign ${mark}`} aria-hidden="true">${SIGN[mark]}</b>`;

/**
 * The mistakes as marks on the slider.
 * @param {{analysis: Analysis | null, you: number | null, last: number}} props
 */
export const Ticks = ({ analysis, you, last }) => html`<span class="ticks" aria-hidden="true">
  ${mistakes(analysis, you).map(
    ({ line, mark }) => html`<i key=${line} class=${mark}
      style=${{ "--where": (line - 1) / Math.max(1, last - 1) }}>
    </i>`,
  )}
</span>`;

/**
 * @param {object} props
 * @param {Analysis} props.analysis
 * @param {Decision[]} props.marks
 * @param {number} props.at
 * @param {number} props.last
 * @param {string[]} props.names
 * @param {number | null} props.you
 * @param {(line: number) => void} props.jump
 */
function Chart({ analysis, marks, at, last, names, you, jump }) {
  const [hovered, setHovered] = useState(/** @type {number | null} */ (null)); // the line under the pointer
  const { curves, together } = curvesOf(analysis);
  const colour = (/** @type {number} */ seat) => seatColour(seat, together ? null : you, names.length);
  const lead = together ? 0 : (you ?? 0); // the seat whose chance is shown beside the pointer
  /** @param {PointerEvent} event */
  const lineAt = (event) => {
    const { left, width } = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    return Math.max(1, Math.min(last, Math.round(((event.clientX - left) / width) * last)));
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    setHovered(lineAt(event));
    if (event.buttons === 1) jump(lineAt(event));
  };
  /** @param {PointerEvent} event */
  const press = (event) =>
    event.button === 0 && !(event.target instanceof Element && event.target.closest("button")) && jump(lineAt(event));
  const hoveredChance = hovered === null ? null : chanceAt(curves[lead] ?? [], hovered);
  return html`<div class="chart" onPointerDown=${press} onPointerMove=${move} onPointerLeave=${() => setHovered(null)}>
    <svg viewBox=${`0 0 ${last} 100`} preserveAspectRatio="none" role="img" aria-label=${t("chance_curve")}>
      <path class="half-way" d=${`M0 50H${last}`} />
      ${curves.map(
        (curve, seat) => html`<polyline key=${seat}
          class=${`curve ${colour(seat)}${together || you === null || seat === you ? "" : " other"}`}
          points=${curve.map(({ line, chance }) => `${line},${100 - 100 * chance}`).join(" ")} />`,
      )}
      ${hovered !== null && html`<path class="over" d=${`M${hovered} 0V100`} />`}
      <path class="now" d=${`M${at} 0V100`} />
    </svg>
    ${marks.map(
      ({ line, mark, seat, chance }) => html`<button key=${line} type="button" class=${`mark-sign ${mark}`}
        aria-current=${line === at ? "step" : undefined}
        style=${{ "--x": line / last, "--y": 1 - (chanceAt(curves[together ? 0 : seat] ?? [], line) ?? chance) }}
        onClick=${() => jump(line)}>
        <span aria-hidden="true">${SIGN[mark]}</span>
        <span class="sr">${t("marked_at", { mark, number: line })}</span>
      </button>`,
    )}
    ${
      hoveredChance !== null &&
      hovered !== null &&
      html`<span class="chart-note number" style=${{ "--x": hovered / last }}
        aria-hidden="true">
        ${!together && curves.length > 1 ? `${names[lead]} ` : ""}
        ${percent(hoveredChance)}
      </span>`
    }
  </div>`;
}

/**
 * Return the curves to draw: one for each seat, or one where all win together.
 * @param {Analysis} analysis
 */
function curvesOf({ curves }) {
  const together = curves.length > 1 && curves.every((curve) => JSON.stringify(curve) === JSON.stringify(curves[0]));
  const started = curves.map((curve) => (curve[0] ? [{ line: 0, chance: curve[0].chance }, ...curve] : curve));
  return { curves: together ? started.slice(0, 1) : started, together };
}

/**
 * @param {{line: number, chance: number}[]} curve
 * @param {number} line
 */
const chanceAt = (curve, line) => curve.findLast((point) => point.line <= line)?.chance ?? null;

/**
 * A summary of each player's decisions.
 * @param {{analysis: Analysis, names: string[], you: number | null}} props
 */
function Accuracy({ analysis, names, you }) {
  return html`<ul class="care">
      ${analysis.accuracy.map(
        ({ decisions, cost, mistakes: count, blunders }, seat) => html`<li key=${seat}>
          <span class=${`dot ${seatColour(seat, you, names.length)}`} aria-hidden="true"></span>
          <div><b>${names[seat]}</b>
            <p class="quiet">
              ${t("decisions", { number: decisions }, "analysis")}; ${t("cost", { cost: percent(cost, 1) }, "analysis")}
            </p>
          </div>
          <p class="care-marks"><span><${Mark} mark="mistake" /> ${t("mistakes", { number: count }, "analysis")}</span>
            <span><${Mark} mark="blunder" /> ${t("blunders", { number: blunders }, "analysis")}</span></p>
        </li>`,
      )}
    </ul>
    <p class="quiet">${t("marks", { mistake: percent(MISTAKE), blunder: percent(BLUNDER) }, "analysis")}</p>`;
}
