// The seats of a table: online or away, person or bot, whose turn it is, and how much time is left. And how a player is
// shown everywhere: by one colour and one name, in the list of seats, on the board, in the log and in the analysis.
import { html, useEffect, useState } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { Icon } from "../page/icon.js";
import { initial, t } from "../text.js";

/** From so many seconds on, a clock is short: the prompt counts down. */
export const SHORT = 20;

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {boolean} [props.always] shown always, because the board draws no players
 * @param {(seat: number) => any} [props.options] returns what can be done about a player
 */
export function Seats({ snapshot, names, always = false, options = () => null }) {
  const { table, view, absent, clock } = snapshot;
  const passed = useSeconds(snapshot, absent.length > 0 || clock !== null);
  const playing = table.status === "playing";
  // Most boards draw the players; then this row appears only when it has something to add.
  const notable =
    always || absent.length > 0 || clock !== null || table.seats.some((seat) => seat.stand_in || seat.kind === "open");
  return html`<section class=${`seats-place${notable ? " notable" : ""}`} aria-label=${t("seats")}>
    <ol class="seats" data-seats=${names.length}>
      ${table.seats.map(
        (seat, number) => html`<${Seat} key=${number} seat=${seat} name=${names[number]}
          you=${snapshot.you === number} colour=${seatColour(number, snapshot.you, names.length)}
          turn=${playing && (view?.to_act.includes(number) ?? false)}
          won=${view?.outcome?.winners.includes(number) ?? false}
          words=${status(snapshot, number, passed)} options=${options(number)}
          left=${clock ? clock.left[number] - (clock.running.includes(number) ? passed : 0) : null} />`,
      )}
  </ol></section>`;
}

/**
 * @param {object} props
 * @param {Seat} props.seat
 * @param {string} props.colour
 * @param {string} props.name
 * @param {boolean} props.you
 * @param {boolean} props.turn
 * @param {boolean} props.won
 * @param {string} props.words
 * @param {any} props.options
 * @param {number | null} props.left seconds on the clock
 */
function Seat({ seat, colour, name, you, turn, won, words, options, left }) {
  const bot = seat.kind === "bot" || seat.bot_account;
  const sign = bot ? html`<${Icon} name="bot" size=${19} />` : seat.kind === "open" ? "+" : initial(name);
  const flags = { turn, you, won, gone: !seat.online, free: seat.kind === "open" };
  const state = Object.entries(flags)
    .map(([flag, on]) => (on ? ` ${flag}` : ""))
    .join("");
  return html`<li class=${`seat${state}`} aria-current=${turn ? "true" : undefined}>
    <span class=${`seat-face ${colour}`} aria-hidden="true">${sign}</span>
    <span class="seat-text"><${PlayerName} name=${name} you=${you} /><span class="seat-words">${words}</span></span>
    ${left !== null && html`<${ClockTime} left=${left} />`}
    ${won && html`<span class="crown" aria-hidden="true"><${Icon} name="trophy" size=${18} /></span>`}
    ${options}
  </li>`;
}

/**
 * The time that is left on a clock.
 * @param {{left: number}} props in seconds
 */
export function ClockTime({ left }) {
  return html`<span class=${`clock number${left < SHORT ? " short" : ""}`}>
    <${Icon} name="clock" size=${15} />
    ${minutes(left)}
  </span>`;
}

/**
 * Return the most important thing about a seat, in a few words.
 * @param {Snapshot} snapshot
 * @param {number} number
 * @param {number} passed seconds since the snapshot
 */
function status({ table, absent, thinking, view, clock }, number, passed) {
  const seat = table.seats[number];
  const missing = absent.find((one) => one.seat === number);
  if (!seat || seat.kind === "open") return "";
  if (seat.stand_in) return t("stand_in");
  if (missing && !missing.can_decide)
    return t("away_countdown", { seconds: Math.max(0, Math.ceil(missing.seconds - passed)) });
  if (missing || (seat.kind === "person" && !seat.online)) return t("offline");
  if (seat.kind === "person" && clock?.running.includes(number) && (clock.left[number] ?? 0) <= passed)
    return t("time_up_seat");
  if (thinking.includes(number)) return t("thinking");
  if (table.status === "playing" && view?.to_act.includes(number)) return t("on_turn");
  if (seat.kind === "bot") return t("bot_level", { level: seat.level });
  return t(seat.bot_account ? "bot_account" : "online");
}

/**
 * Return the seconds since the snapshot, counted while a clock is running.
 * @param {Snapshot} snapshot
 * @param {boolean} running
 */
export function useSeconds(snapshot, running) {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    if (!running) return undefined;
    const from = Date.now();
    const ticking = setInterval(() => setPassed((Date.now() - from) / 1000), 1000);
    return () => clearInterval(ticking);
  }, [snapshot, running]);
  return passed;
}

/**
 * Return the seats of the people besides the viewer.
 * @param {Snapshot} snapshot
 */
export const otherPeople = ({ table, you }) =>
  table.seats.map((_, seat) => seat).filter((seat) => seat !== you && table.seats[seat]?.kind === "person");

/**
 * The button that opens the sheet of a player.
 * @param {{name: string, press: () => void}} props
 */
export function PlayerButton({ name, press }) {
  return html`<button type="button" class="tool bare" aria-label=${t("player_options", { name })}
    title=${t("player_options", { name })} onClick=${press}>
    <${Icon} name="menu" size=${20} />
  </button>`;
}

/** @param {number} seconds */
function minutes(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Return the sentence that warns the viewer, "" while there is no need. It is said aloud once.
 * @param {Snapshot} snapshot
 * @param {boolean} myTurn
 */
export function useClockWarning(snapshot, myTurn) {
  const { clock, you } = snapshot;
  const runs = myTurn && clock !== null && you !== null && clock.running.includes(you);
  const passed = useSeconds(snapshot, runs);
  const left = runs ? Math.ceil((clock.left[you] ?? 0) - passed) : 0;
  const short = left > 0 && left <= SHORT;
  useEffect(() => {
    if (short) announce(t("clock_warning", { seconds: left }));
  }, [short]);
  return short ? t("clock_warning", { seconds: left }) : "";
}

/**
 * Return the class that colours what belongs to a seat. The viewer's own is gold, as their cards are; the others follow
 * clockwise.
 * @param {number} seat
 * @param {number | null} near the seat at the bottom of the table; null for a spectator, who sees the first one there
 * @param {number} players
 */
export const seatColour = (seat, near, players) =>
  seat < players ? `seat-${(seat - (near ?? 0) + players) % players}` : "";

/**
 * A player's name; the viewer's own has a mark, because the log and the others use the name.
 * @param {{name: string, you: boolean}} props
 */
export function PlayerName({ name, you }) {
  const marked = you && name !== t("seat_you"); // in a lesson the player may have no other name
  return html`<b class="name">${name}${marked && html`${" "}<small class="you-mark">${t("you")}</small>`}</b>`;
}
