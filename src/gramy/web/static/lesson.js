// A lesson: the first hand of a game, one rule at a time. static/lessons holds its positions, generated from the rules.
// They are shown one after another on the real board; the lesson continues when the user makes the move asked for.
import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact.js";
import { announce } from "./announce.js";
import { playNow } from "./lobby/open.js";
import { Bar } from "./page/bar.js";
import { LanguagePicker, ThemeButton } from "./page/control.js";
import { Icon } from "./page/icon.js";
import { NoticePage } from "./page/notice.js";
import { reasonOf, request } from "./request.js";
import { nickname } from "./settings.js";
import { language, t, textFor, translate } from "./text.js";
import { useBoard } from "./table/board.js";
import { useNotifications } from "./table/notifications.js";
import { useReveal } from "./table/reveal.js";
import { promptOf } from "./table/table.js";
import { useHighlight } from "./ui/highlight.js";
import { loadStyles } from "./ui/styles.js";

await loadStyles("./style/lesson.css", import.meta.url);

/** Milliseconds after an opponent's move, and after a deal. */
const MOVE_TIME = 750;
const DEAL_TIME = 300;
const OTHER_MOVE = { key: "lesson_elsewhere", values: {}, game: "" };

/**
 * One position of a lesson.
 * @typedef {object} Moment
 * @property {string | null} say the key of the sentence to show
 * @property {string | null} move the move to make
 * @property {number} lines
 * @property {View} view
 * @property {Snapshot["log"]} log
 * @property {Snapshot["effects"]} [effects]
 * @property {Snapshot["refusals"]} [refusals]
 *
 * @typedef {object} About
 * @property {string} game
 * @property {Options} options
 * @property {string} teacher the name of the opponent
 * @property {string[]} phrases
 * @property {Record<string, Record<string, string>>} words sentences by language and key
 *
 * @typedef {{about: About, moments: Moment[]}} Lesson
 */

/** @param {{game: string}} props */
export function Page({ game }) {
  const [lesson, setLesson] = useState(/** @type {Lesson | null | undefined} */ (undefined));
  const [repeats, setRepeats] = useState(0);
  useEffect(() => {
    let current = true;
    request(`/static/lessons/${encodeURIComponent(game)}.json`).then(
      (found) => current && setLesson(found),
      () => current && setLesson(null),
    );
    return () => {
      current = false;
    };
  }, [game]);
  if (lesson === null) return html`<${NoticePage} title=${t("not_found_title")} about=${t("not_found")} />`;
  return (
    lesson &&
    html`<${LessonPage} key=${`${game} ${repeats}`} lesson=${lesson} again=${() => setRepeats(repeats + 1)} />`
  );
}

/** @param {{lesson: Lesson, again: () => void}} props */
function LessonPage({ lesson: { about, moments }, again }) {
  const { game, teacher } = about;
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const board = useBoard(game);
  const names = [nickname.value.trim() || t("seat_you"), teacher];
  const text = textFor(names);
  const title = t("title", {}, game).split(": ").at(-1) ?? "";
  const moment = /** @type {Moment} */ (moments[at]);
  const lines = useMemo(() => moments.slice(0, at + 1).flatMap(({ log }) => log.lines), [at]);
  const snapshot = useMemo(() => snapshotOf(about, moment, names), [at, names[0]]);
  const reveal = useReveal(board, 1, lines);
  const { shownLines } = reveal;
  const pageTitle = t("lesson_of", { title });
  useNotifications({
    snapshot,
    lines,
    shownLines,
    names,
    myTurn: false,
    prompt: "",
    title: pageTitle,
    board,
  });

  const last = at === moments.length - 1;
  const reading = moment.say !== null && moment.move === null;
  const sentence = moment.say
    ? (about.words[language()]?.[moment.say] ?? "").replaceAll("{name}", teacher)
    : promptOf(board, snapshot, names, text.t);
  const open = Boolean(board) && !reveal.open; // the sentence would spoil the reveal
  useEffect(() => {
    if (open && moment.say) announce(sentence);
  }, [open, sentence]);
  useEffect(() => {
    if (!open || moment.say) return undefined;
    const dealt = (moment.log.lines.at(-1)?.seat ?? 0) >= names.length;
    const timer = setTimeout(() => setAt(at + 1), dealt ? DEAL_TIME : MOVE_TIME);
    return () => clearTimeout(timer);
  }, [open, at]);

  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const nextButton = useRef(/** @type {HTMLElement | null} */ (null));
  useHighlight(place, open && moment.move ? selectorFor(moment.move) : null, at);
  useEffect(() => {
    if (open && reading && at > 0) nextButton.current?.focus({ preventScroll: true });
  }, [open, at]);

  const advance = () => {
    setProblem(null);
    setAt(at + 1);
  };
  /**
   * @param {string} move
   * @returns {Promise<Message | null>}
   */
  const act = async (move) => {
    if (move !== moment.move) return OTHER_MOVE;
    advance();
    return null;
  };
  /**
   * A board only shakes when a phrase is refused, so the reason is shown here.
   * @param {string} phrase
   */
  const talk = async (phrase) => {
    const refused = await act(`say ${phrase}`);
    setProblem(refused);
    return refused;
  };
  const next = () => {
    advance();
    place.current?.focus({ preventScroll: true }); // the button may be gone
  };
  const play = () => {
    request("/api/games")
      .then((games) => playNow(games.find((/** @type {GameListed} */ one) => one.name === game)))
      .catch((error) => setProblem(reasonOf(error)));
  };

  return html`<div class="table-page lesson" data-status="lesson">
    <${Bar} title=${html`<h1 class="bar-title">${pageTitle}</h1>`}>
      <span class="roomy"><${LanguagePicker} /><${ThemeButton} /></span>
      ${!last && html`<button type="button" class="button" onClick=${play}>${t("lesson_skip")}</button>`}
    </${Bar}>
    <section class=${`teacher panel${open ? "" : " silent"}`} aria-label=${t("lesson")}>
      <div class="teaching">
        <p>${sentence}</p>
        ${problem && html`<p class="problem" role="alert">${translate(problem)}</p>`}
        ${game !== "gra" && html`<p class="teacher-keys quiet">${t("key_board")}</p>`}
      </div>
      <div class="teacher-foot">
        <${Progress} moments=${moments} at=${at} />
        ${
          last &&
          html`<button type="button" class="tool" aria-label=${t("lesson_again")} title=${t("lesson_again")}
            onClick=${again}>
            <${Icon} name="undo" />
          </button>`
        }
        ${
          reading &&
          !last &&
          html`<button type="button" class="button primary" ref=${nextButton} onClick=${next}>
            ${t("lesson_on")} <${Icon} name="next" size=${18} />
          </button>`
        }
        ${
          last &&
          html`<button type="button" class="button primary" ref=${nextButton} onClick=${play}>
            <${Icon} name="play" size=${18} /> ${t("lesson_play")}
          </button>`
        }
      </div>
    </section>
    <main id="content" class="board-place" tabIndex=${-1} aria-label=${t("board")} ref=${place}>
      <div class="lesson-board" inert=${open && reading}>${
        board &&
        html`<${board.Board} snapshot=${snapshot} lines=${lines} names=${names} act=${act}
          undo=${async () => OTHER_MOVE}
          talk=${talk} onReveal=${reveal.onReveal} translate=${text.translate} t=${text.t} replay=${false} />`
      }</div>
    </main>
  </div>`;
}

/**
 * The progress of the lesson: a mark for each sentence.
 * @param {{moments: Moment[], at: number}} props
 */
function Progress({ moments, at }) {
  const marks = moments.map((moment, index) => ({ ...moment, index })).filter(({ say }) => say !== null);
  const number = marks.filter(({ index }) => index <= at).length;
  return html`<span class="lesson-steps" role="img" aria-label=${t("lesson_step", { number, all: marks.length })}>
    ${marks.map(({ index }, mark) => html`<i key=${index} class=${mark < number ? "on" : ""}></i>`)}
  </span>`;
}

/**
 * Return a moment as a snapshot.
 * @param {About} about
 * @param {Moment} moment
 * @param {string[]} names
 * @returns {Snapshot}
 */
function snapshotOf({ game, options, phrases }, { lines, view, log, effects = {}, refusals = {} }, names) {
  return {
    type: "snapshot",
    sequence: lines,
    answers: [],
    you: view.seat,
    lines,
    view: { ...view, undoable: false },
    effects,
    refusals,
    phrases,
    log,
    table: {
      table: "",
      game,
      options,
      round: 1,
      public: false,
      status: "playing",
      seats: names.map((name, seat) => ({
        kind: seat ? "bot" : "person",
        name,
        level: null,
        online: true,
        stand_in: false,
      })),
    },
    absent: [],
    clock: null,
    thinking: [],
  };
}

/**
 * Return a selector for what is left to touch to make a move.
 * @param {string} move
 */
function selectorFor(move) {
  const [verb = "", what = "", ...more] = move.split(" ");
  switch (verb) {
    case "start":
    case "end":
      return `[data-button="${verb}"]`;
    case "say":
      return `[data-about="${what}"], [data-phrase="${move.slice("say ".length)}"]`;
    case "choose":
      return selectorForFaces([what, ...more]);
    case "bid":
      return selectorForBid(what);
    case "check":
      return ".gra-check";
    default:
      return `[data-card="${what}"], [data-pile="${verb}"]`;
  }
}

/**
 * Return a selector for the cards that show another face, or for the button that confirms the faces.
 * @param {string[]} faces
 */
function selectorForFaces(faces) {
  const other = faces.map((face, card) => `.gra-cards li:nth-child(${card + 1}):not([data-face="${face}"])`);
  return [...other.map((card) => `${card} button`), `.gra:not(:has(${other.join()})) .gra-confirm button`].join();
}

/**
 * Return a selector for the number and the value that differ from a bid, or for the button that makes the bid.
 * @param {string} bid as in "2x5"
 */
function selectorForBid(bid) {
  const [number, value] = bid.split("x");
  return `.gra-picker:not([data-bid^="${number}x"]) .gra-stepper,
    .gra-picker:not([data-bid$="x${value}"]) .gra-value:nth-child(${value}),
    .gra-picker[data-bid="${bid}"] .gra-bids`;
}
