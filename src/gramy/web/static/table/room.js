// The waiting room: who is there, what is played, and what the person who runs the table can do before the start.
import { html, useEffect, useState } from "../vendor/preact.js";
import { usualLevel } from "../lobby/last.js";
import { sitBeside } from "../lobby/open.js";
import { Icon } from "../page/icon.js";
import { inForce, settingsOf } from "../page/variants.js";
import { reasonOf, request } from "../request.js";
import { level, nickname } from "../settings.js";
import { initial, language, playerName, shortName, t, translate } from "../text.js";
import { PlayerButton, otherPeople, seatColour } from "./seats.js";
import { lazy } from "./lazy.js";

const RoomSettings = lazy(() => import("./room-settings.js"), "RoomSettings");

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {import("../connection.js").Connection} props.connection
 * @param {(seat: number) => void} props.choosePlayer
 * @param {() => void} props.seated called when somebody else at this device has a seat
 * @param {any} props.invite the link for guests
 */
export function Room({ snapshot, names, connection, choosePlayer, seated, invite }) {
  const { table, you } = snapshot;
  const [changing, setChanging] = useState(false);
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const game = useGame(table.game);
  const runs = table.opener === you;
  /** @param {Promise<Message | null>} command */
  const attempt = async (command) => {
    setProblem(null);
    const refused = await command;
    setProblem(refused);
    return refused;
  };
  return html`<div class="room">
    <section class="panel room-part room-people">
      <div class="invitation-words">
        <h2>${t(table.seats.some(({ kind }) => kind === "open") ? "waiting_title" : "room_ready")}</h2>
        <p class="quiet">${waitingFor(snapshot, names)}</p>
        <${Successor} snapshot=${snapshot} names=${names} />
      </div>
      <${WaitingSeats} snapshot=${snapshot} names=${names} actions=${(/** @type {number} */ seat) =>
        html`<${SeatActions} snapshot=${snapshot} seat=${seat} name=${names[seat]} game=${game} runs=${runs}
          room=${connection.room} attempt=${attempt} choosePlayer=${choosePlayer} seated=${seated} />`} />
      ${problem && html`<p class="problem" role="alert">${translate(problem, names)}</p>`}
      ${
        runs &&
        game &&
        html`<${Start} snapshot=${snapshot} names=${names} game=${game}
          start=${(/** @type {string | null} */ bots) => attempt(connection.room.start(bots))} />`
      }
    </section>
    <div class="room-side">
      ${invite}
      <section class="panel room-part room-game">
        <div class="room-game-head">
          <h2>${t("title", {}, table.game)}</h2>
          ${
            runs &&
            game &&
            html`<button type="button" class="button" onClick=${() => setChanging(true)}>
              <${Icon} name="settings" size=${19} /> ${t("room_settings")}
            </button>`
          }
        </div>
        <${Rules} table=${table} />
      </section>
    </div>
    ${
      changing &&
      game &&
      html`<${RoomSettings} table=${table} game=${game} names=${names} configure=${connection.room.configure}
        close=${() => setChanging(false)} />`
    }
  </div>`;
}

/**
 * Return the game's possible settings when they are loaded.
 * @param {string} name
 */
function useGame(name) {
  const [game, setGame] = useState(/** @type {GameListed | null} */ (null));
  useEffect(() => {
    request("/api/games").then(
      (/** @type {GameListed[]} */ games) => setGame(games.find((one) => one.name === name) ?? null),
      () => {},
    );
  }, [name]);
  return game;
}

/**
 * Return the sentence that says what the table waits for.
 * @param {Snapshot} snapshot
 * @param {string[]} names
 */
function waitingFor({ table, you }, names) {
  const free = table.seats.some((seat) => seat.kind === "open");
  if (table.opener === you) return t(free ? "room_yours" : "room_full_yours");
  return t(free ? "waiting_for_others" : "room_full", { name: names[table.opener ?? -1] ?? "" });
}

/** @param {number} seconds since 1970 */
const clockTime = (seconds) =>
  new Intl.DateTimeFormat(language(), { hour: "numeric", minute: "2-digit" }).format(seconds * 1000);

/**
 * Who runs the table if the person who does stays away.
 * @param {{snapshot: Snapshot, names: string[]}} props
 */
function Successor({ snapshot: { table, you }, names }) {
  const { successor, opener } = table;
  if (!successor || typeof opener !== "number") return null;
  const words = { name: names[opener], successor: names[successor.seat], time: clockTime(successor.at) };
  return html`<p class="room-successor">
    ${t(successor.seat === you ? "room_successor_you" : "room_successor", words)}
  </p>`;
}

/**
 * The seats with everybody in them: who is there, who is away since when, and who runs the table.
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {(seat: number) => any} [props.actions]
 */
export function WaitingSeats({ snapshot: { table, you }, names, actions = () => null }) {
  return html`<ol class="waiting-seats" aria-label=${t("seats")}>
    ${table.seats.map(
      (seat, number) => html`<li key=${number} class=${`${seat.kind}${seat.online ? "" : " gone"}`}>
        <span class=${`seat-face ${seatColour(number, you, names.length)}`} aria-hidden="true">
          ${sign(seat, number)}
        </span>
        <span class="waiting-name">
          <b>${names[number]}</b>
          ${
            seat.kind !== "open" &&
            html`<span class="quiet">${presence(seat, number === you)}${
              table.opener === number ? ` · ${t("runs_table")}` : ""
            }</span>`
          }
        </span>
        <span class="waiting-actions">${actions(number)}</span>
      </li>`,
    )}
  </ol>`;
}

/**
 * @param {Seat} seat
 * @param {boolean} yours
 */
function presence(seat, yours) {
  if (seat.kind === "bot") return t("bot_level", { level: seat.level });
  if (!seat.online) return seat.away_since ? t("away_since", { time: clockTime(seat.away_since) }) : t("offline");
  if (seat.bot_account) return t("bot_account");
  return t(yours ? "you" : "online");
}

/**
 * @param {Seat} seat
 * @param {number} number
 */
const sign = (seat, number) =>
  seat.kind === "bot" || seat.bot_account
    ? html`<${Icon} name="bot" size=${20} />`
    : seat.kind === "open"
      ? number + 1
      : initial(seat.name);

/**
 * What a viewer can do about a seat.
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {number} props.seat
 * @param {string} props.name
 * @param {GameListed | null} props.game
 * @param {boolean} props.runs whether the viewer runs the table
 * @param {import("../connection.js").Connection["room"]} props.room
 * @param {(command: Promise<Message | null>) => Promise<Message | null>} props.attempt
 * @param {(seat: number) => void} props.choosePlayer
 * @param {() => void} props.seated
 */
function SeatActions({ snapshot, seat, name, game, runs, room, attempt, choosePlayer, seated }) {
  const { kind, level: botLevel } = snapshot.table.seats[seat] ?? { kind: "open", level: null };
  if (seat === snapshot.you)
    return html`<${NameForm} name=${name} word="rename" save="rename_save" attempt=${attempt}
      submit=${async (/** @type {string} */ chosen) => {
        const refused = await room.rename(chosen);
        if (!refused) nickname.value = chosen;
        return refused;
      }} />`;
  if (otherPeople(snapshot).includes(seat))
    return html`<${PlayerButton} name=${name} press=${() => choosePlayer(seat)} />`;
  if (kind === "open") {
    const number = seat + 1;
    return html`<${NameForm} name=${playerName("", seat)} word="here_add" save="sit_down" attempt=${attempt}
        label=${t("seat_here_name", { number })} submit=${async (/** @type {string} */ chosen) => {
          const refused = await sitBeside(snapshot.table.table, seat, chosen).then(() => null, reasonOf);
          if (!refused) seated();
          return refused;
        }} />
      ${
        runs &&
        game &&
        html`<button type="button" class="button" aria-label=${`${t("bot_add")}: ${t("seat_label", { number })}`}
          onClick=${() => attempt(room.setBot(seat, usualLevel(game)))}>
          <${Icon} name="bot" size=${19} /> ${t("bot_add")}
        </button>`
      }`;
  }
  if (!runs || !game) return null;
  return html`<select class="input" aria-label=${t("bot_level_of", { name })}
      onChange=${(/** @type {any} */ event) => {
        level.value = event.currentTarget.value;
        void attempt(room.setBot(seat, event.currentTarget.value));
      }}>
      ${game.levels.map(
        (value) => html`<option key=${value} value=${value} selected=${value === botLevel}>
          ${t("level", { level: value })}
        </option>`,
      )}
    </select>
    <button type="button" class="tool bare" aria-label=${t("bot_remove", { name })} title=${t("bot_remove", { name })}
      onClick=${() => attempt(room.setBot(seat, null))}>
      <${Icon} name="close" size=${20} />
    </button>`;
}

/**
 * A button that becomes a form for a name: another one of the viewer, or that of somebody else at this device.
 * @param {object} props
 * @param {string} props.name
 * @param {string} props.word the key of the button's word
 * @param {string} props.save the key of the word that submits the form
 * @param {string} [props.label] of the field
 * @param {(name: string) => Promise<Message | null>} props.submit
 * @param {(command: Promise<Message | null>) => Promise<Message | null>} props.attempt
 */
function NameForm({ name, word, save, label = t("nickname"), submit, attempt }) {
  const [wanted, setWanted] = useState(/** @type {string | null} */ (null));
  /** @param {Event} event */
  const send = async (event) => {
    event.preventDefault();
    if (!(await attempt(submit((wanted ?? name).trim())))) setWanted(null);
  };
  if (wanted === null)
    return html`<button type="button" class="button" onClick=${() => setWanted(name)}>${t(word)}</button>`;
  return html`<form class="rename-form" onSubmit=${send}>
    <input class="input" aria-label=${label} spellcheck=${false} value=${wanted}
      ref=${(/** @type {HTMLInputElement | null} */ field) => field?.focus()}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && setWanted(null)}
      onInput=${(/** @type {any} */ { currentTarget }) => {
        currentTarget.value = shortName(currentTarget.value);
        setWanted(currentTarget.value);
      }} />
    <button class="button primary">${t(save)}</button>
  </form>`;
}

/**
 * The buttons that begin the match; each says with whom.
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {GameListed} props.game
 * @param {(bots: string | null) => void} props.start
 */
function Start({ snapshot: { table }, names, game, start }) {
  const free = table.seats.filter((seat) => seat.kind === "open").length;
  const taken = table.seats.length - free;
  const bots = usualLevel(game);
  const away = names.filter((_, seat) => table.seats[seat]?.kind === "person" && !table.seats[seat]?.online);
  return html`<div class="room-start">
    <button type="button" class=${`button big${free ? "" : " primary"}`} onClick=${() => start(bots)}>
      <span><b>${t("start_now")}</b>${" "}<small>
        ${free ? t("start_with_bots", { bots: free }) : t("start_with_players", { players: taken })}
      </small></span>
    </button>
    ${
      free > 0 &&
      taken >= game.seats[0] &&
      html`<button type="button" class="button big" onClick=${() => start(null)}>
        <span><b>${t("start_now")}</b>${" "}<small>${t("start_with_players", { players: taken })}</small></span>
      </button>`
    }
    ${away.length > 0 && html`<p class="quiet">${t("start_away", { who: away.join(", ") })}</p>`}
  </div>`;
}

/**
 * The number of players, the variants in force and the clock, in words.
 * @param {{table: Table, explained?: boolean}} props
 */
export function Rules({ table, explained = false }) {
  const special = inForce(table);
  if (!explained || !special.length)
    return html`<ul class="variants-on">
      ${settingsOf(table).map((words) => html`<li key=${words} class="chip">${words}</li>`)}
    </ul>`;
  return html`<ul class="variants-on">
      ${settingsOf(table)
        .filter((words) => !special.some(({ name }) => name === words))
        .map((words) => html`<li key=${words} class="chip">${words}</li>`)}
    </ul>
    <dl class="rules-explained">
      ${special.map(({ name, about }) => html`<div key=${name}><dt>${name}</dt><dd>${about}</dd></div>`)}
    </dl>`;
}
