// A finished match, step by step, from any seat's point of view. The address names the match, the seat and the step.
import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact.js";
import { AnalyseButton, LookBack, Ticks, marked, nextMistake, useAnalysis, verdict } from "./analysis.js";
import { announce } from "./announce.js";
import { Bar } from "./page/bar.js";
import { LanguagePicker, LinkField, ThemeButton } from "./page/control.js";
import { Icon } from "./page/icon.js";
import { Plainly } from "./page/plainly.js";
import { Sheet } from "./page/sheet.js";
import { request } from "./request.js";
import { address, go } from "./route.js";
import { t } from "./text.js";
import { useBoard } from "./table/board.js";
import { Fair } from "./table/fair.js";
import { Log, drawn } from "./table/log.js";
import { promptLine, tell, useKeys } from "./table/table.js";

const PACE = 1200;
const nothing = async () => null;

/** @param {{table: string, round: string, query: URLSearchParams}} props */
export function Page({ table, round, query }) {
  const seat = query.get("seat") ?? "";
  const [replay, setReplay] = useState(/** @type {{seat: string, found: Replay[]} | null} */ (null));
  useEffect(() => {
    let current = true;
    /** @param {string | number} by @returns {Promise<Replay>} */
    const seen = (by) => request(`/api/replay/${encodeURIComponent(table)}/${round}?seat=${encodeURIComponent(by)}`);
    // Nobody's eyes are everybody's: the match is over, so all hands may lie open.
    const all = seen(seat || 0).then((first) =>
      seat ? [first] : Promise.all([first, ...first.names.slice(1).map((_, other) => seen(other + 1))]),
    );
    all.then(
      (found) => current && setReplay({ seat, found }),
      () => current && setReplay({ seat, found: [] }),
    );
    return () => {
      current = false;
    };
  }, [table, round, seat]);
  if (!replay)
    return html`<div class="page">
      <${Bar} />
      <main id="content" class="plainly" tabIndex=${-1}><p class="quiet">${t("loading")}</p></main>
    </div>`;
  if (!replay.found.length) return html`<${Plainly} title=${t("replay_missing")} about=${t("replay_missing_about")} />`;
  return html`<${Steps} table=${table} round=${Number(round)} seen=${replay.found} seat=${replay.seat} />`;
}

/** @param {{table: string, round: number, seen: Replay[], seat: string}} props `seen` by one seat, or by each */
function Steps({ table, round, seen, seat }) {
  const { steps, names, game } = /** @type {Replay} */ (seen[0]);
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
    const next = setTimeout(() => setAt(at + 1), PACE);
    return () => clearTimeout(next);
  }, [playing, at]);

  const step = steps[at - 1];
  const words = tell(names);
  const told = step ? step.events.map(words.say).join(" ") : "";
  const looking = useAnalysis(table, round);
  const marks = useMemo(() => marked(looking.analysis), [looking.analysis]);
  const decision = looking.analysis?.decisions.find((one) => one.line === at);
  const judged = verdict(decision, (move) => board?.wording?.(move, words.t) ?? move);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) announce(`${told} ${judged}`);
    first.current = false;
  }, [at]);
  const snapshot = useMemo(() => shown(seen, table, round, you, at), [seen, at, you]);
  const move = (/** @type {number} */ to) => {
    setPlaying(false);
    setAt(to);
  };
  useKeys({
    ArrowLeft: () => move(at - 1),
    ArrowRight: () => move(at + 1),
    Home: () => move(1),
    End: () => move(last),
    " ": () => setPlaying(!playing),
    n: () => move(nextMistake(looking.analysis, at, you)),
  });
  if (!step) return html`<${Plainly} title=${t("replay_missing")} about=${t("replay_missing_about")} />`;
  return html`<div class="table-page replay" data-status="replay">
    <${Bar} title=${html`<h1 class="bar-title">${t("replay_of", { title })}</h1>`}>
      <${AnalyseButton} looking=${looking} />
      <button type="button" class="tool" aria-label=${t("copy_link")} title=${t("copy_link")}
        onClick=${() => setSharing(true)}>
        <${Icon} name="link" />
      </button>
      <span class="roomy"><${LanguagePicker} /><${ThemeButton} /></span>
    </${Bar}>
    <section class="prompt" aria-label=${t("prompt_label")}>
      <p>
        ${step.events.length ? drawn(step.events, names, board?.inline) : promptLine(board, snapshot, names, words.t)}
      </p>
    </section>
    <main id="content" class="board-place" tabIndex=${-1} aria-label=${t("board")}>
      ${
        board &&
        html`<${board.Board} key=${seat} snapshot=${snapshot} lines=${snapshot.log.lines} names=${names}
          act=${nothing} undo=${nothing} talk=${nothing} tell=${() => {}} say=${words.say} t=${words.t}
          hint=${better(decision, you)} replay=${true} />`
      }
    </main>
    <aside class="beside" aria-label=${t("log")}>
      <${Log} lines=${steps} names=${names} you=${you} inline=${board?.inline} at=${at} marks=${marks} jump=${move} />
    </aside>
    <${LookBack} looking=${looking} at=${at} last=${last} names=${names} you=${you} words=${judged} jump=${move} />
    <section class="scrubber panel" aria-label=${t("scrubber")}>
      <label class="points"><span class="label">${t("point_of_view")}</span>
        <select class="input" value=${seat}
          onChange=${(/** @type {any} */ event) => look(table, round, event.currentTarget.value, at)}>
          ${names.map(
            (name, number) => html`<option key=${number} value=${String(number)}
              selected=${seat === String(number)}>
              ${name}
            </option>`,
          )}
          <option value="" selected=${seat === ""}>${t("everybody")}</option>
      </select></label>
      <div class="steps">
        <${Step} icon="first" label=${t("step_first")} off=${at <= 1} press=${() => move(1)} />
        <${Step} icon="back" label=${t("step_back")} off=${at <= 1} press=${() => move(at - 1)} />
        <${Step} icon=${playing ? "pause" : "play"} label=${t(playing ? "pause" : "play_on")} off=${at >= last}
          press=${() => setPlaying(!playing)} />
        <${Step} icon="next" label=${t("step_on")} off=${at >= last} press=${() => move(at + 1)} />
        <${Step} icon="last" label=${t("step_last")} off=${at >= last} press=${() => move(last)} />
      </div>
      <label class="slide"><span class="sr">${t("scrubber")}</span>
        <span class="slide-way">
          <${Ticks} analysis=${looking.analysis} you=${you} last=${last} />
          <input type="range" min="1" max=${last} value=${at}
            aria-valuetext=${t("step_label", { number: at, all: last })}
            onInput=${(/** @type {any} */ event) => move(Number(event.currentTarget.value))} />
        </span>
        <span class="number quiet" aria-hidden="true">${at} / ${last}</span></label>
      <${Fair} table=${table} round=${round} you=${you} lines=${steps} />
    </section>
    ${
      sharing &&
      html`<${Sheet} title=${t("replay")} close=${() => setSharing(false)}>
        <${LinkField} label=${t("copy_link")} title=${title} url=${location.href} />
      </${Sheet}>`
    }
  </div>`;
}

/** What would have been better, for the board of the seat at the bottom. @param {Decision | undefined} decision @param {number | null} you @returns {Hint | null} */
const better = (decision, you) =>
  decision?.mark && decision.seat === (you ?? 0)
    ? { at: decision.line, moves: [[decision.best, decision.best_chance]], claims: {} }
    : null;

/** @param {string} table @param {number} round @param {string} seat @param {number} at */
const look = (table, round, seat, at) =>
  go(`/replay/${table}/${round}${seat && `?seat=${seat}`}#${at}`, { replace: true });

/** The step in the address, kept there as it changes. @param {number} last @returns {[number, (to: number) => void]} */
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
    history.replaceState(null, "", `${address.peek()}#${step}`);
    setAt(step);
  };
  return [at, set];
}

/** A step as a board knows it: a snapshot in which nothing can be done. @param {Replay[]} seen @param {string} table @param {number} round @param {number | null} you @param {number} at @returns {Snapshot} */
function shown(seen, table, round, you, at) {
  const { game, names, options, steps } = /** @type {Replay} */ (seen[0]);
  const view = steps[at - 1]?.view ?? null;
  return {
    type: "snapshot",
    version: at,
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
    away: [],
    clock: null,
    thinking: [],
    replay: true,
    views: you === null ? seen.map((one) => one.steps[at - 1]?.view) : undefined,
  };
}

/** @param {{icon: import("./page/icon.js").IconName, label: string, off: boolean, press: () => void}} props */
function Step({ icon, label, off, press }) {
  return html`<button type="button" class="tool" aria-label=${label} title=${label} disabled=${off} onClick=${press}>
    <${Icon} name=${icon} />
  </button>`;
}
