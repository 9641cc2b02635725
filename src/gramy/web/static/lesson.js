// A lesson: the first hand of a game, one rule at a time. The rules have played it beforehand (static/lessons); here its
// moments are shown one after another, on the real board, and go on when the reader does what the sentence asks for.
import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact.js";
import { announce } from "./announce.js";
import { playNow } from "./lobby/open.js";
import { Bar } from "./page/bar.js";
import { LanguagePicker, ThemeButton } from "./page/control.js";
import { Icon } from "./page/icon.js";
import { Plainly } from "./page/plainly.js";
import { reasonOf, request } from "./request.js";
import { nickname } from "./settings.js";
import { language, say, t } from "./text.js";
import { useBoard } from "./table/board.js";
import { useStory } from "./table/story.js";
import { promptLine, tell } from "./table/table.js";
import { useTelling } from "./table/telling.js";
import { usePointer } from "./ui/pointer.js";
import { styled } from "./ui/styles.js";

await styled("./style/lesson.css", import.meta.url);

/** How long a move of the other side stands before the next, and a deal. */
const PACE = 750,
  DEAL = 300;
const ELSEWHERE = { key: "lesson_elsewhere", values: {}, game: "" };

/**
 * @typedef {{say: string | null, move: string | null, lines: number, view: View, log: Snapshot["log"], effects?: Snapshot["effects"], refusals?: Snapshot["refusals"]}} Moment
 * @typedef {{game: string, options: Options, teacher: string, phrases: string[], words: Record<string, Record<string, string>>}} About
 * @typedef {{about: About, moments: Moment[]}} Lesson
 */

/** @param {{game: string}} props */
export function Page({ game }) {
  const [lesson, setLesson] = useState(/** @type {Lesson | null | undefined} */ (undefined));
  const [pass, setPass] = useState(0);
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
  if (lesson === null) return html`<${Plainly} title=${t("not_found")} />`;
  return lesson && html`<${Hand} key=${`${game} ${pass}`} lesson=${lesson} again=${() => setPass(pass + 1)} />`;
}

/** @param {{lesson: Lesson, again: () => void}} props */
function Hand({ lesson: { about, moments }, again }) {
  const { game, teacher } = about;
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const board = useBoard(game);
  const names = [nickname.value.trim() || t("seat_you"), teacher];
  const words = tell(names);
  const title = t("title", {}, game).split(": ").at(-1) ?? "";
  const moment = /** @type {Moment} */ (moments[at]);
  const lines = useMemo(() => moments.slice(0, at + 1).flatMap(({ log }) => log.lines), [at]);
  const snapshot = useMemo(() => shown(about, moment, names), [at, names[0]]);
  const story = useStory(board, 1, lines);
  useTelling({
    snapshot,
    lines,
    told: story.told,
    names,
    mine: false,
    line: "",
    title: t("lesson_of", { title }),
    spoken: board?.spoken,
  });

  const last = at === moments.length - 1;
  const reading = moment.say !== null && moment.move === null;
  const sentence = moment.say
    ? (about.words[language()]?.[moment.say] ?? "").replaceAll("{name}", teacher)
    : promptLine(board, snapshot, names, words.t);
  const open = Boolean(board) && !story.staged; // the sentence knows how the board's story ends
  useEffect(() => {
    if (open && moment.say) announce(sentence);
  }, [open, sentence]);
  useEffect(() => {
    if (!open || moment.say) return undefined;
    const later = setTimeout(() => setAt(at + 1), (moment.log.lines.at(-1)?.seat ?? 0) < names.length ? PACE : DEAL);
    return () => clearTimeout(later);
  }, [open, at]);

  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const onward = useRef(/** @type {HTMLElement | null} */ (null));
  usePointer(place, open && moment.move ? whereFor(moment.move, moment.view) : null, at);
  useEffect(() => {
    if (open && reading && at > 0) onward.current?.focus({ preventScroll: true });
  }, [open, at]);

  const advance = () => {
    setProblem(null);
    setAt(at + 1);
  };
  /** @param {string} move @returns {Promise<Message | null>} */
  const act = async (move) => {
    if (move !== moment.move) return ELSEWHERE;
    advance();
    return null;
  };
  /** A board only shakes its head at a phrase; here it is said why. @param {string} phrase */
  const talk = async (phrase) => {
    const refused = await act(`say ${phrase}`);
    setProblem(refused);
    return refused;
  };
  const goOn = () => {
    advance();
    place.current?.focus({ preventScroll: true }); // the button may be gone
  };
  const play = () => {
    request("/api/games")
      .then((games) => playNow(games.find((/** @type {GameListed} */ one) => one.name === game)))
      .catch((error) => setProblem(reasonOf(error)));
  };

  return html`<div class="table-page lesson" data-status="lesson">
    <${Bar} title=${html`<h1 class="bar-title">${t("lesson_of", { title })}</h1>`}>
      <span class="roomy"><${LanguagePicker} /><${ThemeButton} /></span>
      ${!last && html`<button type="button" class="button" onClick=${play}>${t("lesson_skip")}</button>`}
    </${Bar}>
    <section class=${`teacher panel${open ? "" : " silent"}`} aria-label=${t("lesson")}>
      <div class="teaching">
        <p>${sentence}</p>
        ${problem && html`<p class="problem" role="alert">${say(problem)}</p>`}
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
          html`<button type="button" class="button primary" ref=${onward} onClick=${goOn}>
            ${t("lesson_on")} <${Icon} name="next" size=${18} />
          </button>`
        }
        ${
          last &&
          html`<button type="button" class="button primary" ref=${onward} onClick=${play}>
            <${Icon} name="play" size=${18} /> ${t("lesson_play")}
          </button>`
        }
      </div>
    </section>
    <main id="content" class="board-place" tabIndex=${-1} aria-label=${t("board")} ref=${place}>
      <div class="listening" inert=${open && reading}>${
        board &&
        html`<${board.Board} snapshot=${snapshot} lines=${lines} names=${names} act=${act} undo=${async () => ELSEWHERE}
          talk=${talk} tell=${story.tell} say=${words.say} t=${words.t} replay=${false} />`
      }</div>
    </main>
  </div>`;
}

/** How far the lesson is: a mark for each sentence. @param {{moments: Moment[], at: number}} props */
function Progress({ moments, at }) {
  const marks = moments.map((moment, index) => ({ ...moment, index })).filter(({ say: words }) => words !== null);
  const number = marks.filter(({ index }) => index <= at).length;
  return html`<span class="lesson-steps" role="img" aria-label=${t("lesson_step", { number, all: marks.length })}>
    ${marks.map(({ index }, mark) => html`<i key=${index} class=${mark < number ? "on" : ""}></i>`)}
  </span>`;
}

/** A moment as a board knows it. @param {About} about @param {Moment} moment @param {string[]} names @returns {Snapshot} */
function shown({ game, options, phrases }, { lines, view, log, effects = {}, refusals = {} }, names) {
  return {
    type: "snapshot",
    version: lines,
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
    away: [],
    clock: null,
    thinking: [],
  };
}

/** What to touch for a move, as a selector. @param {string} move @param {View} view */
function whereFor(move, { board }) {
  const [verb = "", what = "", ...more] = move.split(" ");
  const others = () =>
    [what, ...more].flatMap((face, card) =>
      board.hand.cards[card][0] === face ? [] : [`.gra-cards li:nth-child(${card + 1}) button`],
    );
  switch (verb) {
    case "end":
      return '[data-button="end"]';
    case "say":
      return `[data-about="${what}"]`;
    case "choose":
      return others().join(); // the cards whose other face is meant
    case "bid":
      return `.gra-stepper, .gra-value:nth-child(${what.split("x")[1]})`;
    case "check":
      return ".gra-check";
    default:
      return `[data-card="${what}"], [data-pile="${verb}"]`;
  }
}
