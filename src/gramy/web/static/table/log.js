// What happened, line by line, in sentences. Beside the board on a desk, a sheet on a phone; in the replay lines are links.
import { html, useEffect, useLayoutEffect, useMemo, useRef } from "../vendor/preact.js";
import { language, say, t } from "../text.js";

/** What a line says, but not the deal that the end of the turn before it has said already. @param {Line} line @param {Line | undefined} before */
export function news({ events }, before) {
  const end = before?.events.find((event) => event.key === "ended")?.values;
  return end
    ? events.filter(({ key, values }) => key !== "dealt" || values.seat !== end.seat || values.number !== end.draws)
    : events;
}

/** @typedef {(card: string) => any} Inline how a board draws a card within a sentence, where its name says little */

/** Events in sentences, with the cards in them drawn. @param {Message[]} events @param {string[]} names @param {Inline} [inline] */
export const drawn = (events, names, inline) =>
  events.map((event) => {
    const { card } = event.values;
    if (!inline || typeof card !== "string") return `${say(event, names)} `;
    const [before, after] = say({ ...event, values: { ...event.values, card: "\n" } }, names).split("\n");
    return html`${before}${inline(card)}${after}${" "}`;
  });

/**
 * @param {{lines: Line[], names: string[], you: number | null, inline?: Inline, at?: number, marks?: Map<number, Decision>, jump?: (line: number) => void}} props
 * `at` is the line shown now (the replay), counted from 1; `marks` are the lines that an analysis has marked
 */
export function Log({ lines, names, you, inline, at, marks, jump }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const near = useRef(true); // a reader who has scrolled up is left in peace
  const follow = () => {
    const box = list.current;
    if (!box) return;
    if (at !== undefined) keepInSight(box, box.querySelector("[aria-current]"));
    else if (near.current) box.scrollTop = box.scrollHeight;
  };
  useLayoutEffect(follow, [lines.length, at]);
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    // A sheet is laid out after it opens, and the result takes room from the log beside it.
    const watching = new ResizeObserver(() => latest.current());
    if (list.current) watching.observe(list.current);
    return () => watching.disconnect();
  }, []);
  /** @param {any} event */
  const scrolled = (event) => {
    const box = event.currentTarget;
    near.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  };
  const spoken = `${language()} ${names.join()}`;
  const entries = useMemo(
    () =>
      lines.map((line, index) => {
        const events = news(line, lines[index - 1]);
        if (!events.length && line.events.length) return null;
        const next = lines[index + 1];
        const current = at === index + 1 || (at === index + 2 && next !== undefined && !news(next, line).length);
        return html`<${Entry} key=${index} line=${{ ...line, events }} number=${index + 1} names=${names} you=${you}
          inline=${inline} current=${current} mark=${marks?.get(index + 1)?.mark} jump=${jump} />`;
      }),
    [lines, spoken, you, at, inline, marks],
  );
  return html`<section class="log">
    <h2>${t("log")}</h2>
    ${lines.length === 0 && html`<p class="quiet">${t("log_empty")}</p>`}
    <div class="log-lines" ref=${list} tabIndex=${0} role="group" aria-label=${t("log")} onScroll=${scrolled}>
      <ol>${entries}</ol>
    </div>
  </section>`;
}

/** @param {{line: Line, number: number, names: string[], you: number | null, inline?: Inline, current: boolean, mark?: string, jump?: (line: number) => void}} props */
function Entry({ line, number, names, you, inline, current, mark, jump }) {
  const dealer = line.seat >= names.length;
  const words = line.events.length ? drawn(line.events, names, inline) : line.move;
  const kind = dealer ? "dealer" : line.seat === you ? "own" : "";
  const text = html`<span class=${`dot seat-${line.seat}`} aria-hidden="true"></span><span>${words}</span>
    ${
      mark &&
      html`<b class=${`mark-sign ${mark}`}>
        <span aria-hidden="true">${mark === "blunder" ? "??" : "?"}</span>
        <span class="sr">${t("marked_at", { mark, number })}</span>
      </b>`
    }`;
  return html`<li class=${`log-line ${kind}`} aria-current=${current ? "step" : undefined}>
    ${jump ? html`<button type="button" onClick=${() => jump(number)}>${text}</button>` : text}
  </li>`;
}

/** @param {HTMLElement} box @param {Element | null} item */
function keepInSight(box, item) {
  if (!(item instanceof HTMLElement)) return;
  const top = item.offsetTop - box.offsetTop;
  if (top < box.scrollTop + 30 || top > box.scrollTop + box.clientHeight - 60)
    box.scrollTop = top - box.clientHeight / 2;
}
