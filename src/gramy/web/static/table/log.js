// The log of a match in sentences: beside the board on a desktop, in a sheet on a phone. In a replay lines are buttons.
import { html, useEffect, useLayoutEffect, useMemo, useRef } from "../vendor/preact.js";
import { language, t, translate } from "../text.js";
import { seatColour } from "./seats.js";
import { inWords } from "./board.js";

/**
 * Return the events of a line, without a deal that the line before it has announced already.
 * @param {Line} line
 * @param {Line | undefined} previous
 */
export function eventsToShow({ events }, previous) {
  const end = previous?.events.find((event) => event.key === "ended")?.values;
  return end
    ? events.filter(({ key, values }) => key !== "dealt" || values.seat !== end.seat || values.number !== end.draws)
    : events;
}

/** @typedef {(card: string) => any} InlineCard draws a card within a sentence */
/** @typedef {import("./board.js").BoardModule} BoardModule */

/**
 * Return the sentence of an event, with its cards and moves in words.
 * @param {Message} event
 * @param {string[]} names
 * @param {BoardModule | null} [board]
 */
export const eventSentence = (event, names, board) => translate(inWords(event, board), names);

/**
 * Return events as sentences, with their cards drawn and their moves in words.
 * @param {Message[]} events
 * @param {string[]} names
 * @param {BoardModule | null} [board]
 */
export const eventSentences = (events, names, board) =>
  events.map((event) => {
    const card = board?.inlineCard && board.cardIn?.(event);
    if (!card) return `${eventSentence(event, names, board)} `;
    const worded = inWords(event, board);
    const [before, after] = translate({ ...worded, values: { ...worded.values, card: "\n" } }, names).split("\n");
    return html`${before}${board.inlineCard?.(card)}${after}${" "}`;
  });

/**
 * @param {object} props
 * @param {Line[]} props.lines
 * @param {string[]} props.names
 * @param {number | null} props.you
 * @param {BoardModule | null} [props.board]
 * @param {number} [props.at] in the replay: the line shown now, counted from 1
 * @param {Map<number, Decision>} [props.marks] in the replay: the mistakes of the analysis, by line
 * @param {(line: number) => void} [props.jump] in the replay: shows a line
 */
export function Log({ lines, names, you, board, at, marks, jump }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const atEnd = useRef(true); // the log follows new lines unless the user has scrolled up
  const follow = () => {
    const box = list.current;
    if (!box) return;
    if (at !== undefined) keepInView(box, box.querySelector("[aria-current]"));
    else if (atEnd.current) box.scrollTop = box.scrollHeight;
  };
  useLayoutEffect(follow, [lines.length, at]);
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    // A sheet gets its size after it opens, and the result takes room from the log beside it.
    const observer = new ResizeObserver(() => latest.current());
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  /** @param {any} event */
  const onScroll = (event) => {
    const box = event.currentTarget;
    atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  };
  const textKey = `${language()} ${names.join()}`;
  const entries = useMemo(
    () =>
      (board ? lines : []).map((line, index) => {
        // until the board is loaded there are no words for cards
        const events = eventsToShow(line, lines[index - 1]);
        if (!events.length && line.events.length) return null;
        const next = lines[index + 1];
        const current =
          at === index + 1 || (at === index + 2 && next !== undefined && !eventsToShow(next, line).length);
        return html`<${Entry} key=${index} line=${{ ...line, events }} number=${index + 1} names=${names} you=${you}
          board=${board} current=${current} mark=${marks?.get(index + 1)?.mark} jump=${jump} />`;
      }),
    [lines, textKey, you, at, board, marks],
  );
  return html`<section class="log">
    <h2>${t("log")}</h2>
    ${lines.length === 0 && html`<p class="quiet">${t("log_empty")}</p>`}
    <div class="log-lines" ref=${list} tabIndex=${0} role="group" aria-label=${t("log")} onScroll=${onScroll}>
      <ol>${entries}</ol>
    </div>
  </section>`;
}

/**
 * @param {object} props
 * @param {Line} props.line
 * @param {number} props.number
 * @param {string[]} props.names
 * @param {number | null} props.you
 * @param {BoardModule | null} [props.board]
 * @param {boolean} props.current
 * @param {string} [props.mark]
 * @param {(line: number) => void} [props.jump]
 */
function Entry({ line, number, names, you, board, current, mark, jump }) {
  const dealer = line.seat >= names.length;
  const words = line.events.length ? eventSentences(line.events, names, board) : line.move;
  const kind = dealer ? "dealer" : line.seat === you ? "own" : "";
  const colour = seatColour(line.seat, you, names.length);
  const text = html`<span class=${`dot ${colour}`} aria-hidden="true"></span><span>${words}</span>
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

/**
 * @param {HTMLElement} box
 * @param {Element | null} item
 */
function keepInView(box, item) {
  if (!(item instanceof HTMLElement)) return;
  const top = item.offsetTop; // within the box, which is positioned
  if (top < box.scrollTop + 30 || top > box.scrollTop + box.clientHeight - 60)
    box.scrollTop = top - box.clientHeight / 2;
}
