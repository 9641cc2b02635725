// The table: what is around every board. It shows snapshots and sends commands; what is legal, the server says.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { connect } from "../connection.js";
import { keepPlace, places, tokenOf } from "../memory.js";
import { Bar } from "../page/bar.js";
import { LanguagePicker, SoundButton, ThemeButton } from "../page/control.js";
import { Icon } from "../page/icon.js";
import { Plainly } from "../page/plainly.js";
import { address } from "../route.js";
import { sound } from "../settings.js";
import { say, t, told } from "../text.js";
import { useBoard } from "./board.js";
import { HintButton, useHint } from "./hint.js";
import { later } from "./later.js";
import { Log } from "./log.js";
import { Seats } from "./seats.js";
import { useHeldBack, useStory } from "./story.js";
import { useTelling } from "./telling.js";
import { styled } from "../ui/styles.js";

await styled("../style/table.css", import.meta.url);

const sheets = () => import("./sheets.js");
const [Menu, Keys, TalkSheet, LogSheet] = ["Menu", "Keys", "TalkSheet", "LogSheet"].map((name) => later(sheets, name));
const Invitation = later(() => import("./invitation.js"), "Invitation");
const Result = later(() => import("./result.js"), "Result");
const Vanished = later(() => import("./vanished.js"), "Vanished");

/** How long a refusal stays where the prompt is. */
const LINGER = 4500;
/** From this width on, the log stands beside the board. */
const WIDE = "(min-width: 1000px)";

/** @param {{table: string}} props */
export function Page({ table }) {
  const connection = useMemo(() => connect(table, token(table)), [table]);
  useEffect(() => connection.close, [connection]);
  const snapshot = connection.snapshot.value;
  const [seated, setSeated] = useState(0); // sitting down needs a new hello, so the page begins anew
  useEffect(() => {
    if (snapshot) remembered(snapshot);
  }, [snapshot?.you, snapshot?.table.game]);

  if (connection.missing.value)
    return html`<${Plainly} title=${t("table_missing")} about=${t("table_missing_about")} />`;
  if (!snapshot) return html`<${Opening} silent=${connection.silent.value} />`;
  return html`<${Around} key=${seated} connection=${connection} snapshot=${snapshot} seated=${() => {
    setSeated(seated + 1);
    connection.hello(tokenOf(table));
  }} />`;
}

/** The seat's token: from the private link, which is then cleared of it, or remembered. @param {string} table */
function token(table) {
  const given = /^#seat=([\w-]+)$/.exec(location.hash)?.[1];
  if (!given) return tokenOf(table);
  keepPlace({ table, game: "", seat: -1, token: given });
  history.replaceState(null, "", location.pathname);
  address.value = location.pathname;
  return given;
}

/** Whoever came by a private link can go on from the lobby too. @param {Snapshot} snapshot */
function remembered({ table, you }) {
  const place = places().find((one) => one.table === table.table);
  if (place && you !== null && !place.game) keepPlace({ ...place, game: table.game, seat: you });
}

/** @param {{silent: boolean}} props */
function Opening({ silent }) {
  return html`<div class="page">
    <${Bar} />
    <main id="content" class="plainly" tabIndex=${-1}>
      <p class="quiet">${silent ? t("reconnecting") : t("loading")}</p>
    </main>
  </div>`;
}

/** @param {{connection: import("../connection.js").Connection, snapshot: Snapshot, seated: () => void}} props */
function Around({ connection, snapshot, seated }) {
  const { table, view, you } = snapshot;
  const lines = connection.lines.value;
  const title = t("title", {}, table.game).split(": ").at(-1) ?? ""; // the series' name would fill a phone's bar
  const names = table.seats.map((seat) => seat.name || t("open_seat"));
  const board = useBoard(table.game);
  const [open, setOpen] = useState(/** @type {"" | "log" | "talk" | "menu" | "keys"} */ (""));
  const [aside, setAside] = useState(true);
  const [refusal, setRefusal] = useRefusal();
  const [dismissed, setDismissed] = useState(0);

  const story = useStory(board, table.round, lines);
  const known = useHeldBack(snapshot, story.secret); // as far as the board has told it
  const words = tell(names);
  const mine = !story.secret && you !== null && table.status === "playing" && (view?.to_act.includes(you) ?? false);
  const line = useMemo(
    () => promptLine(board, snapshot, names, words.t),
    [board, snapshot, names.join("\n"), words.t("prompt_you")],
  );
  const advice = useHint({ connection, snapshot, lines, board, words, mine, refuse: setRefusal });
  useTelling({ snapshot: known, lines, told: story.told, names, mine, line, title, spoken: board?.spoken });

  /** @param {Promise<Message | null>} doing */
  const attempt = async (doing) => {
    const refused = await doing;
    if (refused) setRefusal(refused);
    return refused;
  };
  const undo = () => attempt(connection.undo());
  const showLog = () => (matchMedia(WIDE).matches ? setAside(!aside) : setOpen(open === "log" ? "" : "log"));
  useKeys({
    u: () => view?.undoable && undo(),
    h: () => you !== null && table.status === "playing" && advice.ask(),
    l: showLog,
    m: () => {
      sound.value = !sound.peek();
    },
    "?": () => setOpen("keys"),
  });

  const close = () => setOpen("");
  const waiting = mine || story.secret ? "" : snapshot.thinking.length ? " thinking" : "";
  const finished = table.status === "finished" && dismissed !== table.round;
  const result =
    table.status === "finished" &&
    !story.staged &&
    html`<${Result} snapshot=${snapshot} names=${names} connection=${connection} attempt=${attempt}
      pause=${!board?.tells}
      dismissed=${!finished} dismiss=${(/** @type {boolean} */ away) => setDismissed(away ? table.round : 0)} />`;
  return html`<div
    class=${`table-page${aside ? "" : " no-aside"}${mine ? " my-turn" : ""}${story.staged ? " staged" : ""}`}
    data-status=${table.status}>
    <${Bar} title=${html`<h1 class="bar-title">${title}</h1>`}>
      ${
        board?.needsTalk &&
        snapshot.phrases.length > 0 &&
        you !== null &&
        html`<${Tool} icon="talk" label=${t("talk")}
          press=${() => setOpen("talk")} />`
      }
      <${Tool} icon="log" label=${t("log")} keys="L" press=${showLog} />
      <span class="roomy"><${LanguagePicker} /><${ThemeButton} /></span>
      <${SoundButton} />
      <a class="tool roomy" href=${`/rules/${table.game}`} aria-label=${t("rules")} title=${t("rules")}>
        <${Icon} name="book" />
      </a>
      <${Tool} icon="menu" label=${t("menu")} press=${() => setOpen("menu")} />
    </${Bar}>
    <section
      class=${`prompt${refusal ? " refused" : ""}${mine ? " yours" : ""}${snapshot.hints ? " advised" : ""}${waiting}`}
      aria-label=${t("prompt_label")}>
      ${
        you === null &&
        table.status !== "waiting" &&
        html`<span class="chip watching" title=${t("watching_about")}>
          <${Icon} name="eye" size=${16} /> ${t("watching")}
        </span>`
      }
      <p>${refusal ? say(refusal, names) : advice.words || line}</p>
      ${advice.offered && html`<${HintButton} advice=${advice} />`}
    </section>
    <${Seats} snapshot=${known} names=${names} always=${board?.needsSeats} />
    <main id="content" class="board-place" tabIndex=${-1} aria-label=${t("board")}>
      ${
        table.status === "waiting"
          ? html`<${Invitation} snapshot=${snapshot} names=${names} seated=${seated} />`
          : board &&
            view &&
            html`<${board.Board} key=${table.round} snapshot=${snapshot} lines=${lines} names=${names}
              act=${connection.act} undo=${connection.undo}
              talk=${connection.talk} tell=${story.tell} say=${words.say} t=${words.t} hint=${advice.hint}
              replay=${false} />`
      }
    </main>
    <aside class="beside" aria-label=${t("log")}>
      <${Log} lines=${story.told} names=${names} you=${you} inline=${board?.inline} />
    </aside>
    ${result}
    ${
      snapshot.away.some((one) => one.decide) &&
      html`<${Vanished} snapshot=${snapshot} names=${names}
        decide=${(/** @type {number} */ seat, /** @type {any} */ choice) => attempt(connection.decide(seat, choice))} />`
    }
    ${
      connection.silent.value &&
      html`<p class="silence panel" role="status">
        ${connection.farewell.value ? say(connection.farewell.value) : t("reconnecting")}
      </p>`
    }
    ${
      open === "log" &&
      html`<${LogSheet} lines=${story.told} names=${names} you=${you} inline=${board?.inline}
        close=${close} />`
    }
    ${
      open === "talk" &&
      html`<${TalkSheet} snapshot=${snapshot}
        talk=${(/** @type {string} */ phrase) => attempt(connection.talk(phrase))} close=${close} />`
    }
    ${
      open === "menu" &&
      html`<${Menu} snapshot=${known} names=${names} leave=${connection.leave}
        keys=${() => setOpen("keys")} close=${close} />`
    }
    ${open === "keys" && html`<${Keys} close=${close} />`}
  </div>`;
}

/** `say` and `t` that know who sits at this table. @param {string[]} names */
export const tell = (names) => ({
  say: (/** @type {Message} */ message) => say(message, names),
  t: /** @type {Say} */ ((key, values = {}, game = "") => told(key, values, game, names)),
});

/** @param {import("./board.js").BoardModule | null} board @param {Snapshot} snapshot @param {string[]} names @param {Say} t */
export function promptLine(board, snapshot, names, t) {
  if (snapshot.table.status === "waiting") return t("waiting_title");
  return snapshot.view && board ? board.prompt(snapshot, names, t) : "";
}

/** A refusal stands in the prompt's place for a while. @returns {[Message | null, (message: Message) => void]} */
function useRefusal() {
  const [refusal, setRefusal] = useState(/** @type {Message | null} */ (null));
  useEffect(() => {
    if (!refusal) return undefined;
    const later = setTimeout(() => setRefusal(null), LINGER);
    return () => clearTimeout(later);
  }, [refusal]);
  return [refusal, setRefusal];
}

/** The shell's own keys; all others are the board's. @param {Record<string, () => void>} keys */
export function useKeys(keys) {
  const current = useRef(keys);
  useLayoutEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const where = event.target instanceof Element ? event.target : null;
      if (where?.closest("input, textarea, select, dialog") || (event.key === " " && where?.closest("button, a")))
        return;
      const act = current.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** @param {{icon: import("../page/icon.js").IconName, label: string, press: () => void, keys?: string}} props */
function Tool({ icon, label, press, keys }) {
  return html`<button type="button" class="tool" aria-label=${label} title=${label} aria-keyshortcuts=${keys}
    onClick=${press}>
    <${Icon} name=${icon} />
  </button>`;
}
