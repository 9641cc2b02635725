// The replay of a match, step by step, from any seat's view. The address has the match, seat and step.
import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact.js";
import { AnalyseButton, AnalysisPanel, Ticks, marked, nextMistake, useAnalysis, verdict } from "./analysis.js";
import { announce } from "./announce.js";
import { Bar } from "./page/bar.js";
import { LanguagePicker, ThemeButton } from "./page/control.js";
import { Icon } from "./page/icon.js";
import { PageLink } from "./page/link.js";
import { NoticePage } from "./page/notice.js";
import { Sheet } from "./page/sheet.js";
import { request } from "./request.js";
import { address, navigate } from "./route.js";
import { playerName, t, textFor } from "./text.js";
import { inWords, useBoard } from "./table/board.js";
import { Fair } from "./table/fair.js";
import { Log, eventSentence, eventSentences } from "./table/log.js";
import { promptOf, useShortcuts } from "./table/table.js";
import { loadStyles } from "./ui/styles.js";

await loadStyles("./style/replay.css", import.meta.url);

/** Milliseconds from one step to the next. */
const STEP_TIME = 1200;
const doNothing = async () => null;

/**
 * Where a replay comes from: a match at a table, or a file.
 * @typedef {object} Source
 * @property {string} path of the page
 * @property {{table: string, round: number} | null} match at a table of this server, which can analyse and verify it
 * @property {(viewer: string | number) => Promise<Replay>} replayFor
 */

/** @param {{table: string, round: string, query: URLSearchParams}} props */
export function Page({ table, round, query }) {
  const of = `${encodeURIComponent(table)}/${round}`;
  return html`<${ReplayPage} seat=${query.get("seat") ?? ""} path=${`/replay/${of}`}
    match=${{ table, round: Number(round) }}
    replayFor=${(/** @type {string | number} */ viewer) =>
      request(`/api/replay/${of}?seat=${encodeURIComponent(viewer)}`)} />`;
}

/** @param {Source & {seat: string}} props */
export function ReplayPage({ seat, path, match, replayFor }) {
  const [replay, setReplay] = useState(/** @type {{seat: string, replays: Replay[]} | null} */ (null));
  useEffect(() => {
    let current = true;
    // Without a chosen seat all hands are open: the match is over.
    const all = replayFor(seat || 0).then((first) =>
      seat ? [first] : Promise.all([first, ...first.names.slice(1).map((_, other) => replayFor(other + 1))]),
    );
    all.then(
      (replays) => current && setReplay({ seat, replays }),
      () => current && setReplay({ seat, replays: [] }),
    );
    return () => {
      current = false;
    };
  }, [path, seat]);
  if (!replay)
    return html`<div class="page">
      <${Bar} />
      <main id="content" class="notice-page" tabIndex=${-1}><p class="quiet">${t("loading")}</p></main>
    </div>`;
  if (!replay.replays.length)
    return html`<${NoticePage} title=${t("replay_missing")} about=${t("replay_missing_about")} />`;
  return html`<${Steps} path=${path} match=${match} replays=${replay.replays} seat=${replay.seat} />`;
}

/**
 * @param {object} props
 * @param {string} props.path
 * @param {Source["match"]} props.match
 * @param {Replay[]} props.replays as the chosen seat saw the match, or one for each seat
 * @param {string} props.seat
 */
function Steps({ path, match, replays, seat }) {
  const { steps, game, ...replay } = /** @type {Replay} */ (replays[0]);
  const names = replay.names.map(playerName);
  const last = steps.length;
  const [at, setAt] = useStep(last);
  const [playing, setPlaying] = useState(false);
  const [sharing, setSharing] = useState(false);
  const board = useBoard(game);
  const you = seat === "" ? null : Number(seat);
  const title = t("title", {}, game).split(": ").at(-1) ?? "";
  useEffect(() => {
    document.title = t("replay_of", { title });
  }, [title]);
  useEffect(() => {
    if (!playing) return undefined;
    if (at >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setAt(at + 1), STEP_TIME);
    return () => clearTimeout(timer);
  }, [playing, at]);

  const step = steps[at - 1];
  const text = textFor(names);
  const sentences = step ? step.events.map((event) => eventSentence(event, names, board)).join(" ") : "";
  const { table, round } = match ?? { table: "", round: 1 };
  const analysing = useAnalysis(table, round);
  const marks = useMemo(() => marked(analysing.analysis), [analysing.analysis]);
  const decision = analysing.analysis?.decisions.find((one) => one.line === at);
  const judgement = verdict(decision, (move) => board?.describeMove?.(move, text.t) ?? move);
  const reason = decision?.reason ? text.translate(inWords(decision.reason, board)) : "";
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) announce(`${sentences} ${judgement}${reason && `. ${reason}`}`);
    first.current = false;
  }, [at]);
  const snapshot = useMemo(() => snapshotAt(replays, table, round, you, at), [replays, at, you]);
  const jump = (/** @type {number} */ to) => {
    setPlaying(false);
    setAt(to);
  };
  useShortcuts({
    ArrowLeft: () => jump(at - 1),
    ArrowRight: () => jump(at + 1),
    Home: () => jump(1),
    End: () => jump(last),
    " ": () => setPlaying(!playing),
    n: () => jump(nextMistake(analysing.analysis, at, you)),
  });
  if (!step) return html`<${NoticePage} title=${t("replay_missing")} about=${t("replay_missing_about")} />`;
  return html`<div class="table-page replay" data-status="replay">
    <${Bar} title=${html`<h1 class="bar-title"><span class="replay-word">${t("replay")} · </span>${title}</h1>`}>
      ${
        match &&
        html`<${AnalyseButton} analysing=${analysing} />
          <button type="button" class="tool" aria-label=${t("copy_link")} title=${t("copy_link")}
            onClick=${() => setSharing(true)}>
            <${Icon} name="link" />
          </button>`
      }
      <span class="roomy"><${LanguagePicker} /><${ThemeButton} /></span>
    </${Bar}>
    <section class="prompt" aria-label=${t("prompt_label")}>
      <p>
        ${step.events.length ? eventSentences(step.events, names, board) : promptOf(board, snapshot, names, text.t)}
      </p>
    </section>
    <main id="content" class="board-place" tabIndex=${-1} aria-label=${t("board")}>
      ${
        board &&
        html`<${board.Board} key=${seat} snapshot=${snapshot} lines=${snapshot.log.lines} names=${names}
          act=${doNothing} undo=${doNothing} talk=${doNothing} onReveal=${() => {}} translate=${text.translate}
          t=${text.t} hint=${betterMove(decision, you)} replay=${true} />`
      }
    </main>
    <aside class="beside" aria-label=${t("log")}>
      <${Log} lines=${steps} names=${names} you=${you} board=${board} at=${at} marks=${marks}
        jump=${jump} />
    </aside>
    <${AnalysisPanel} analysing=${analysing} at=${at} last=${last} names=${names} you=${you} words=${judgement}
      reason=${reason} jump=${jump} />
    <section class="scrubber panel" aria-label=${t("scrubber")}>
      <label class="points"><span class="label">${t("point_of_view")}</span>
        <select class="input" value=${seat}
          onChange=${(/** @type {any} */ event) => showSeat(path, event.currentTarget.value, at)}>
          ${names.map(
            (name, number) => html`<option key=${number} value=${String(number)}
              selected=${seat === String(number)}>
              ${name}
            </option>`,
          )}
          <option value="" selected=${seat === ""}>${t("everybody")}</option>
      </select></label>
      <div class="steps">
        <${Step} icon="first" label=${t("step_first")} off=${at <= 1} press=${() => jump(1)} />
        <${Step} icon="back" label=${t("step_back")} off=${at <= 1} press=${() => jump(at - 1)} />
        <${Step} icon=${playing ? "pause" : "play"} label=${t(playing ? "pause" : "play_on")} off=${at >= last}
          press=${() => setPlaying(!playing)} />
        <${Step} icon="next" label=${t("step_on")} off=${at >= last} press=${() => jump(at + 1)} />
        <${Step} icon="last" label=${t("step_last")} off=${at >= last} press=${() => jump(last)} />
      </div>
      <label class="slide"><span class="sr">${t("scrubber")}</span>
        <span class="slide-way">
          <${Ticks} analysis=${analysing.analysis} you=${you} last=${last} />
          <input type="range" min="1" max=${last} value=${at}
            aria-valuetext=${t("step_label", { number: at, all: last })}
            onInput=${(/** @type {any} */ event) => jump(Number(event.currentTarget.value))} />
        </span>
        <span class="number quiet" aria-hidden="true">${at} / ${last}</span></label>
      ${match && html`<${Fair} table=${table} round=${round} you=${you} names=${names} lines=${steps} />`}
    </section>
    ${
      sharing &&
      html`<${Sheet} title=${t("replay")} close=${() => setSharing(false)}>
        <${PageLink} label=${t("copy_link")} title=${title}
          path=${location.pathname + location.search + location.hash} />
      </${Sheet}>`
    }
  </div>`;
}

/**
 * Return the better move as a hint, if the seat at the bottom made a mistake.
 * @param {Decision | undefined} decision
 * @param {number | null} you
 * @returns {Hint | null}
 */
const betterMove = (decision, you) =>
  decision?.mark && decision.seat === (you ?? 0)
    ? { at: decision.line, moves: [[decision.best, decision.best_chance]], claims: {}, reason: decision.reason }
    : null;

/**
 * @param {string} path
 * @param {string} seat
 * @param {number} at
 */
const showSeat = (path, seat, at) => navigate(`${path}${seat && `?seat=${seat}`}#${at}`, { replace: true });

/**
 * Return the step in the address, and a function that changes it.
 * @param {number} last
 * @returns {[number, (to: number) => void]}
 */
function useStep(last) {
  const read = () => Math.max(1, Math.min(last, Number(location.hash.slice(1)) || 1));
  const [at, setAt] = useState(read);
  useEffect(() => {
    const follow = () => /^#\d+$/.test(location.hash) && setAt(read()); // the skip link uses the hash too
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [last]);
  /** @param {number} to */
  const set = (to) => {
    const step = Math.max(1, Math.min(last, to));
    history.replaceState(history.state, "", `${address.peek()}#${step}`);
    setAt(step);
  };
  return [at, set];
}

/**
 * Return a step as a snapshot without legal moves.
 * @param {Replay[]} replays
 * @param {string} table
 * @param {number} round
 * @param {number | null} you
 * @param {number} at
 * @returns {Snapshot}
 */
function snapshotAt(replays, table, round, you, at) {
  const { game, names, options, steps } = /** @type {Replay} */ (replays[0]);
  const view = steps[at - 1]?.view ?? null;
  return {
    type: "snapshot",
    sequence: at,
    answers: [],
    you,
    lines: at,
    view: view && { ...view, moves: [], undoable: false },
    table: {
      table,
      game,
      options,
      round,
      public: false,
      status: view?.outcome ? "finished" : "playing",
      seats: names.map((name) => ({ kind: "person", name, level: null, online: true, stand_in: false })),
    },
    effects: {},
    refusals: {},
    phrases: [],
    log: { from: 0, lines: steps.slice(0, at) },
    absent: [],
    clock: null,
    thinking: [],
    replay: true,
    views: you === null ? replays.map((replay) => replay.steps[at - 1]?.view) : undefined,
  };
}

/** @param {{icon: import("./page/icon.js").IconName, label: string, off: boolean, press: () => void}} props */
function Step({ icon, label, off, press }) {
  return html`<button type="button" class="tool" aria-label=${label} title=${label} disabled=${off} onClick=${press}>
    <${Icon} name=${icon} />
  </button>`;
}
