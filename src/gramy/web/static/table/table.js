// The page of a table: everything around a board. It shows snapshots and sends commands; the server knows the rules.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { connect } from "../connection.js";
import { announce, clearAnnouncements } from "../announce.js";
import { saveSeat, savedSeats, seatTokens } from "../storage.js";
import { Bar } from "../page/bar.js";
import { LanguagePicker, SoundButton, ThemeButton } from "../page/control.js";
import { Icon } from "../page/icon.js";
import { NoticePage } from "../page/notice.js";
import { inForce } from "../page/variants.js";
import { address } from "../route.js";
import { sound } from "../settings.js";
import { seatNames, t, textFor, translate } from "../text.js";
import { inWords, useBoard } from "./board.js";
import { DealNotice, dealing } from "./deal-notice.js";
import { HintButton, useHint } from "./hint.js";
import { lazy } from "./lazy.js";
import { Log } from "./log.js";
import { Seats, useClockWarning } from "./seats.js";
import { useFrozen, useReveal } from "./reveal.js";
import { useNotifications } from "./notifications.js";
import { loadStyles } from "../ui/styles.js";

await loadStyles(["../style/table.css", "../style/table-panels.css"], import.meta.url);

const sheets = () => import("./sheets.js");
const [Menu, Keys, Variants] = ["Menu", "Keys", "Variants"].map((name) => lazy(sheets, name));
const [TalkSheet, LogSheet, PlayerSheet] = ["TalkSheet", "LogSheet", "PlayerSheet"].map((name) => lazy(sheets, name));
const Invitation = lazy(() => import("./invitation.js"), "Invitation");
const Result = lazy(() => import("./result.js"), "Result");
const AbsentDialog = lazy(() => import("./absent.js"), "AbsentDialog");
const OneDevice = lazy(() => import("./one-device.js"), "OneDevice");
const BotPlayedNotice = lazy(() => import("./bot-played.js"), "BotPlayedNotice");

/** How long a refusal is shown instead of the prompt, in milliseconds. */
const REFUSAL_TIME = 4500;
/** From this width on, the log stands beside the board. */
const WIDE = "(min-width: 1000px)";

/** @param {{table: string}} props */
export function Page({ table }) {
  const [tokens, setTokens] = useState(() => tokensOf(table));
  const seated = () => setTokens(tokensOf(table));
  return tokens.length > 1
    ? html`<${OneDevice} key=${tokens.join()} table=${table} tokens=${tokens} seated=${seated} />`
    : html`<${OneSeat} table=${table} token=${tokens[0] ?? null} seated=${seated} />`;
}

/**
 * The page of somebody who plays alone on this device, or watches.
 * @param {{table: string, token: string | null, seated: () => void}} props
 */
function OneSeat({ table, token, seated }) {
  const connection = useMemo(() => connect(table, token), [table]);
  useEffect(() => connection.close, [connection]);
  useReconnected(connection.stalled.value);
  const snapshot = connection.snapshot.value;
  const [taken, setTaken] = useState(0); // counts the times a seat was taken: each needs a new connection and page
  useEffect(() => completeSavedSeat(snapshot), [snapshot?.you, snapshot?.table.game]);
  return (
    noticeOf(connection) ??
    html`<${TablePage} key=${taken} connection=${connection} snapshot=${snapshot} seated=${() => {
      const tokens = seatTokens(table);
      if (tokens.length > 1) return seated();
      setTaken(taken + 1);
      connection.rejoin(tokens[0] ?? null);
    }} />`
  );
}

/**
 * Return the page that is shown instead of a table: there is none, or not for this visitor, or not yet.
 * @param {import("../connection.js").Connection} connection
 */
export function noticeOf({ missing, expelled, removed, snapshot, stalled }) {
  if (missing.value) return html`<${NoticePage} title=${t("table_missing")} about=${t("table_missing_about")} />`;
  if (expelled.value) return html`<${NoticePage} title=${translate(expelled.value)} />`;
  if (removed.value) return html`<${NoticePage} title=${t("removed_title")} about=${t("removed_from_table")} />`;
  return snapshot.value ? null : html`<${Connecting} stalled=${stalled.value} />`;
}

/**
 * Return the tokens of this device's seats: the saved ones, or that of a private link, which leaves the address.
 * @param {string} table
 */
function tokensOf(table) {
  const given = /^#seat=([\w-]+)$/.exec(location.hash)?.[1];
  if (given) {
    if (!seatTokens(table).includes(given)) saveSeat({ table, game: "", seat: -1, token: given });
    history.replaceState(null, "", location.pathname);
    address.value = location.pathname;
  }
  return seatTokens(table);
}

/**
 * Fill in the game and the seat of a token that came by a private link, so that the lobby can list the table.
 * @param {Snapshot | null} snapshot
 */
export function completeSavedSeat(snapshot) {
  if (!snapshot) return;
  const { table, you } = snapshot;
  const saved = savedSeats().find((seat) => seat.table === table.table);
  if (saved && you !== null && (!saved.game || saved.seat !== you)) saveSeat({ ...saved, game: table.game, seat: you });
}

/**
 * Announce that the connection is back. That it was lost is shown in a live region.
 * @param {boolean} stalled
 */
export function useReconnected(stalled) {
  const before = useRef(false);
  useEffect(() => {
    if (before.current && !stalled) announce(t("reconnected"));
    before.current = stalled;
  }, [stalled]);
}

/** @param {{stalled: boolean}} props */
function Connecting({ stalled }) {
  return html`<div class="page">
    <${Bar} />
    <main id="content" class="notice-page" tabIndex=${-1}>
      <p class="quiet">${stalled ? t("reconnecting") : t("loading")}</p>
    </main>
  </div>`;
}

/**
 * @param {object} props
 * @param {import("../connection.js").Connection} props.connection
 * @param {Snapshot} props.snapshot
 * @param {() => void} props.seated
 * @param {import("./one-device.js").Device} [props.device] where several people play on this device
 */
export function TablePage({ connection, snapshot, seated, device }) {
  const { table, view, you } = snapshot;
  const lines = connection.lines.value;
  // Without the name of the series, which would fill the bar of a phone.
  const title = t("title", {}, table.game).split(": ").at(-1) ?? "";
  const names = seatNames(table.seats);
  useEffect(() => clearAnnouncements, [names.join("\n")]);
  const board = useBoard(table.game);
  const [open, setOpen] = useState(/** @type {"" | "log" | "talk" | "menu" | "keys" | "variants"} */ (""));
  const [player, setPlayer] = useState(/** @type {number | null} */ (null));
  const [aside, setAside] = useState(true);
  const [refusal, setRefusal] = useRefusal();
  const [dismissed, setDismissed] = useState(0);

  const reveal = useReveal(board, table.round, lines);
  const shownSnapshot = useFrozen(snapshot, reveal.pending);
  const text = textFor(names);
  const botPlays = you !== null && table.seats[you]?.stand_in; // after a withheld client seed
  const myTurn =
    !reveal.pending && you !== null && !botPlays && table.status === "playing" && (view?.to_act.includes(you) ?? false);
  const prompt = useMemo(
    () => promptOf(board, snapshot, names, text.t),
    [board, snapshot, names.join("\n"), text.t("prompt_you")],
  );
  const hints = useHint({ connection, snapshot, lines, board, text, myTurn, refuse: setRefusal });
  const { shownLines } = reveal;
  const warning = useClockWarning(snapshot, myTurn);
  useNotifications({
    snapshot: shownSnapshot,
    lines,
    shownLines,
    names,
    myTurn,
    prompt,
    title,
    board,
    here: device?.seats,
  });

  /** @param {Promise<Message | null>} command */
  const attempt = async (command) => {
    const refused = await command;
    if (refused) setRefusal(refused);
    return refused;
  };
  /** @type {import("../connection.js").Connection["decide"]} */
  const decide = (seat, choice) => attempt(connection.decide(seat, choice));
  const undo = () => attempt(connection.undo());
  const showLog = () => (matchMedia(WIDE).matches ? setAside(!aside) : setOpen(open === "log" ? "" : "log"));
  useShortcuts({
    u: () => view?.undoable && undo(),
    h: () => you !== null && table.status === "playing" && hints.ask(),
    l: showLog,
    m: () => {
      sound.value = !sound.peek();
    },
    "?": () => setOpen("keys"),
  });

  const close = () => setOpen("");
  const thinking = myTurn || reveal.pending ? "" : snapshot.thinking.length ? " thinking" : "";
  const hinted = snapshot.hints ? " hinted" : "";
  const finished = table.status === "finished" && dismissed !== table.round;
  const result =
    table.status === "finished" &&
    !reveal.open &&
    html`<${Result} snapshot=${snapshot} names=${names} connection=${connection} attempt=${attempt}
      board=${board} pause=${!board?.isReveal} here=${device?.seats}
      dismissed=${!finished} dismiss=${(/** @type {boolean} */ away) => setDismissed(away ? table.round : 0)} />`;
  return html`<div
    class=${`table-page${aside ? "" : " no-aside"}${myTurn ? " my-turn" : ""}${reveal.open ? " revealing" : ""}`}
    data-status=${table.status}>
    <${Bar} title=${html`<${TableTitle} title=${title} table=${table} explain=${() => setOpen("variants")} />`}>
      ${
        board?.needsTalk &&
        snapshot.phrases.length > 0 &&
        you !== null &&
        html`<${Tool} icon="talk" label=${t("talk")}
          press=${() => setOpen("talk")} />`
      }
      ${device && table.status === "playing" && html`<${device.PassButton} device=${device} />`}
      <${Tool} icon="log" label=${t("log")} keys="L" press=${showLog} />
      <span class="roomy"><${LanguagePicker} /><${ThemeButton} /></span>
      ${device ? html`<span class="roomy"><${SoundButton} /></span>` : html`<${SoundButton} />`}
      <a class="tool roomy" href=${`/rules/${table.game}`} aria-label=${t("rules")} title=${t("rules")}>
        <${Icon} name="book" />
      </a>
      <${Tool} icon="menu" label=${t("menu")} press=${() => setOpen("menu")} />
    </${Bar}>
    <section
      class=${`prompt${refusal ? " refused" : ""}${myTurn ? " yours" : ""}${hinted}${thinking}`}
      aria-label=${t("prompt_label")}>
      ${
        you === null &&
        table.status !== "waiting" &&
        html`<span class="chip watching" title=${t("watching_about")}>
          <${Icon} name="eye" size=${16} /> ${t("watching")}
        </span>`
      }
      <p>
        ${refusal ? text.translate(inWords(refusal, board)) : warning || hints.sentence || prompt}
        ${!refusal && !warning && hints.reason && html`${" "}<span class="reason">${hints.reason}</span>`}
      </p>
      ${hints.available && html`<${HintButton} hints=${hints} />`}
      ${device && html`<${device.HandOver} device=${device} snapshot=${snapshot} lines=${lines} busy=${reveal.open} />`}
    </section>
    <${Seats} snapshot=${shownSnapshot} names=${names} always=${board?.needsSeats} />
    <main id="content" class="board-place" tabIndex=${-1} aria-label=${t("board")}>
      ${
        table.status === "waiting"
          ? dealing(snapshot) ||
            html`<${Invitation} snapshot=${snapshot} names=${names} connection=${connection} seated=${seated}
              choosePlayer=${setPlayer} />`
          : board &&
            view &&
            html`<${board.Board} key=${table.round} snapshot=${snapshot} lines=${lines} names=${names}
              act=${connection.act} undo=${connection.undo}
              talk=${connection.talk} onReveal=${reveal.onReveal} translate=${text.translate} t=${text.t}
              hint=${hints.hint}
              replay=${false} shared=${Boolean(device)} />`
      }
    </main>
    <aside class="beside" aria-label=${t("log")}>
      <${Log} lines=${shownLines} names=${names} you=${you} board=${board} />
    </aside>
    ${result}
    ${
      you !== null &&
      snapshot.absent.length > 0 &&
      html`<${AbsentDialog} snapshot=${snapshot} names=${names}
        decide=${decide} />`
    }
    <${DealNotice} key=${`deal ${table.round}`} snapshot=${snapshot} problem=${connection.dealProblem.value}
      text=${text} />
    ${
      snapshot.bot_played &&
      html`<${BotPlayedNotice} played=${snapshot.bot_played} lines=${lines} names=${names} board=${board}
        acknowledge=${() => attempt(connection.acknowledge())} />`
    }
    <div role="status">
      ${
        connection.stalled.value &&
        html`<p class="stalled panel">
          ${connection.goodbye.value ? translate(connection.goodbye.value) : t("reconnecting")}
        </p>`
      }
    </div>
    ${
      open === "log" &&
      html`<${LogSheet} lines=${shownLines} names=${names} you=${you} board=${board}
        close=${close} />`
    }
    ${
      open === "talk" &&
      html`<${TalkSheet} snapshot=${snapshot}
        talk=${(/** @type {string} */ phrase) => attempt(connection.talk(phrase))} close=${close} />`
    }
    ${
      open === "menu" &&
      html`<${Menu} snapshot=${shownSnapshot} names=${names} leave=${connection.leave} device=${device}
        showKeys=${() => setOpen("keys")} close=${close}
        choosePlayer=${(/** @type {number} */ seat) => {
          close();
          setPlayer(seat);
        }} />`
    }
    ${
      player !== null &&
      table.seats[player]?.kind === "person" &&
      html`<${PlayerSheet} snapshot=${snapshot} seat=${player} name=${names[player]} connection=${connection}
        leave=${device?.leaving(player)} close=${() => setPlayer(null)} />`
    }
    ${open === "keys" && html`<${Keys} snapshot=${snapshot} board=${board} close=${close} />`}
    ${open === "variants" && html`<${Variants} table=${table} close=${close} />`}
  </div>`;
}

/**
 * The name of the game, and below it the variants in force and the clock. A press explains them.
 * @param {{title: string, table: Table, explain: () => void}} props
 */
function TableTitle({ title, table, explain }) {
  const words = inForce(table).map(({ name }) => name);
  return html`<div class="bar-title table-title">
    <h1>${title}</h1>
    ${
      words.length > 0 &&
      html`<button type="button" class="in-force" onClick=${explain}>
        <span class="sr">${t("in_force")}: </span>${words.join(" · ")}
      </button>`
    }
  </div>`;
}

/**
 * Return the sentence that says what the table is waiting for.
 * @param {import("./board.js").BoardModule | null} board
 * @param {Snapshot} snapshot
 * @param {string[]} names
 * @param {Translate} tableText `t` with the names of the table
 */
export function promptOf(board, snapshot, names, tableText) {
  if (snapshot.table.status === "waiting")
    return t(snapshot.deal?.phase === "wait" ? "waiting_title" : "dealing_title");
  return snapshot.view && board ? board.prompt(snapshot, names, tableText) : "";
}

/**
 * A refusal, which is cleared after a while.
 * @returns {[Message | null, (message: Message) => void]}
 */
function useRefusal() {
  const [refusal, setRefusal] = useState(/** @type {Message | null} */ (null));
  useEffect(() => {
    if (!refusal) return undefined;
    const timer = setTimeout(() => setRefusal(null), REFUSAL_TIME);
    return () => clearTimeout(timer);
  }, [refusal]);
  return [refusal, setRefusal];
}

/**
 * Keyboard shortcuts of the page. A board handles its own keys.
 * @param {Record<string, () => void>} keys
 */
export function useShortcuts(keys) {
  const current = useRef(keys);
  useLayoutEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, textarea, select, dialog") || (event.key === " " && target?.closest("button, a")))
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
