// Several people play on one device and hand it over. Each has a seat and a connection of their own, so everybody is
// present and takes part in the deal. The page shows one person's table, or a cover where the next person takes over.
// While the cover is shown, the table is not in the document: nobody's cards are.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { announce, clearAnnouncements } from "../announce.js";
import { connect } from "../connection.js";
import { Icon } from "../page/icon.js";
import { notify } from "../settings.js";
import { playSound } from "../sound.js";
import { saveOthers } from "../storage.js";
import { initial, seatNames, t } from "../text.js";
import { loadStyles } from "../ui/styles.js";
import { notifyTurn } from "./notifications.js";
import "./room-texts.js";
import { ClockTime, SHORT, seatColour, useSeconds } from "./seats.js";
import { TablePage, completeSavedSeat, noticeOf, useReconnected } from "./table.js";
import { vibrate } from "./turn-sign.js";

await loadStyles("../style/one-device.css", import.meta.url);

/** @typedef {import("../connection.js").Connection} Connection */

/**
 * What the page of a table needs to know of the device.
 * @typedef {object} Device
 * @property {number[]} seats of the people at this device
 * @property {number[]} asked those of them whom the page asks for; the others play on another device as well
 * @property {string} token of the seat that is shown
 * @property {() => void} cover hides the table until somebody takes the device
 * @property {(seat: number) => (() => Promise<Message | null>) | undefined} leaving how one of them leaves alone
 * @property {any} PassButton
 * @property {any} HandOver
 */

/** Milliseconds without a touch or a key until the table is covered for the next person, and while their clock runs. */
const PAUSE = 6000;
const CLOCK_PAUSE = 2500;

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string[]} props.tokens of the people at this device
 * @param {() => void} props.seated called when their tokens have changed
 */
export function OneDevice({ table, tokens, seated }) {
  const connections = useMemo(() => tokens.map((token) => connect(table, token)), [tokens]);
  useEffect(() => () => connections.forEach(({ close }) => close()), [connections]);
  // Who has the device, and since which round: everybody may be looking at the result when the next one is dealt.
  const [holder, setHolder] = useState(/** @type {{person: number, round: number} | null} */ (null));
  const [covered, setCovered] = useState(false);
  const seats = connections.map(seatOf);
  const asked = askedFor(connections, holder?.person);
  const people = connections.map((_, person) => person).filter((person) => seats[person] !== null);
  const shown = holder && people.includes(holder.person) ? holder.person : (people[0] ?? 0);
  const connection = /** @type {Connection} */ (connections[shown]);
  const shared = useMemo(() => together(connection, connections), [connection]);
  useReconnected(connection.stalled.value);
  const first = connections[0]?.snapshot.value ?? null;
  useEffect(() => completeSavedSeat(first), [first?.you, first?.table.game]);
  useLostSeats(table, tokens, seated, connections);
  useCall(covered ? connection : null, present(seats), asked);
  useEffect(() => {
    if (!holder) return;
    document.getElementById("content")?.focus({ preventScroll: true });
    announce(t("pass_taken", { name: nameOf(connections[holder.person]) }));
  }, [holder]);

  const late = connections.find((one) => !one.snapshot.value && !one.removed.value);
  const notice = noticeOf(late ?? connection);
  const { value: snapshot } = connection.snapshot;
  if (notice || !snapshot) return notice;
  const { round, status } = snapshot.table;
  const held = !covered && holder?.person === shown && holder.round === round;
  if (status === "playing" && people.length && !held) {
    const seat = nextSeat(snapshot, asked, holder?.round === round ? snapshot.you : null);
    return html`<${Cover} key=${seat} snapshot=${snapshot} seats=${present(seats)} asked=${asked} next=${seat}
      stalled=${connections[seats.indexOf(seat)]?.stalled.value}
      take=${(/** @type {number} */ taken) => {
        setHolder({ person: seats.indexOf(taken), round });
        setCovered(false);
      }} />`;
  }
  /** @type {Device} */
  const device = {
    seats: present(seats),
    asked,
    token: tokens[shown] ?? "",
    cover: () => setCovered(true),
    leaving: (seat) => connections[seats.indexOf(seat)]?.leave,
    PassButton,
    HandOver,
  };
  return html`<${TablePage} key=${shown} connection=${shared} snapshot=${snapshot} seated=${seated}
    device=${device} />`;
}

/** @param {Connection} connection */
const seatOf = ({ removed, snapshot }) => (removed.value ? null : (snapshot.value?.you ?? null));

/** @param {Connection | undefined} connection */
function nameOf(connection) {
  const { table, you } = connection?.snapshot.peek() ?? {};
  return table ? seatNames(table.seats)[you ?? 0] : "";
}

/**
 * Return the seats whose people the page asks for. Somebody who has opened their private link on another device plays
 * there, until they close it or take this device. If that holds for everybody, this page is open twice.
 * @param {Connection[]} connections
 * @param {number | undefined} holder the number of the person who has the device
 */
function askedFor(connections, holder) {
  const here = connections.filter((one) => seatOf(one) !== null);
  const asked = here.filter((one) => !one.snapshot.value?.elsewhere || one === connections[holder ?? -1]);
  const alone = here.every((one) => one.snapshot.value?.elsewhere) ? here : asked;
  return present(alone.map(seatOf));
}

/** @param {(number | null)[]} seats */
const present = (seats) => seats.filter((seat) => seat !== null);

/**
 * Return a person's connection whose requests for a rematch, votes and leaving are those of everybody at this device.
 * @param {Connection} own
 * @param {Connection[]} all
 * @returns {Connection}
 */
function together(own, all) {
  /** @param {(one: Connection) => Promise<Message | null>} command */
  const each = async (command) => {
    const answers = await Promise.all(all.filter((one) => seatOf(one) !== null).map(command));
    return answers.every(Boolean) ? (answers[0] ?? null) : null; // the first vote may decide, and then the next is late
  };
  return {
    ...own,
    rematch: () => each((one) => one.rematch()),
    leave: () => each((one) => one.leave()),
    decide: (seat, choice) => each((one) => one.decide(seat, choice)),
  };
}

/**
 * Forget the tokens of people whose seats were freed or given away.
 * @param {string} table
 * @param {string[]} tokens
 * @param {() => void} seated
 * @param {Connection[]} connections
 */
function useLostSeats(table, tokens, seated, connections) {
  const others = tokens.filter((_, person) => {
    const { snapshot } = /** @type {Connection} */ (connections[person]);
    return person > 0 && (!snapshot.value || seatOf(/** @type {Connection} */ (connections[person])) !== null);
  });
  useEffect(() => {
    if (others.length === tokens.length - 1) return;
    saveOthers(table, others);
    seated();
  }, [others.length]);
}

/**
 * Return the seats at this device that must act.
 * @param {Snapshot} snapshot
 * @param {number[]} seats
 */
const seatsToAct = ({ table, view }, seats) =>
  table.status === "playing" ? seats.filter((seat) => view?.to_act.includes(seat) && !table.seats[seat]?.stand_in) : [];

/**
 * Return who gets the device: the next one who must act, clockwise from whoever has it.
 * @param {Snapshot} snapshot
 * @param {number[]} seats
 * @param {number | null} from the seat of whoever has it
 * @returns {number}
 */
function nextSeat(snapshot, seats, from) {
  const clockwise = seats.toSorted((one, two) => one - two);
  const at = clockwise.indexOf(from ?? -1);
  const others = [...clockwise.slice(at + 1), ...clockwise.slice(0, Math.max(0, at))];
  return seatsToAct(snapshot, others)[0] ?? others[0] ?? clockwise[0] ?? 0;
}

/**
 * The button that covers the table at any time: another person wants to look, to talk or to start.
 * @param {{device: Device}} props
 */
function PassButton({ device }) {
  const label = t("pass_tool");
  return html`<button type="button" class="tool pass-button" aria-label=${label} title=${label}
    onClick=${device.cover}>
    <${Icon} name="swap" />
  </button>`;
}

/**
 * The button beside the prompt while somebody else at this device must act. After a pause the table is covered anyway.
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {Line[]} props.lines
 * @param {boolean} props.busy whether the person is still shown something
 * @param {Device} props.device
 */
function HandOver({ snapshot, lines, busy, device }) {
  const { table, you } = snapshot;
  const due = seatsToAct(snapshot, device.asked);
  const seat = busy || !due.length || due.includes(you ?? -1) ? null : nextSeat(snapshot, device.asked, you);
  const name = seatNames(table.seats)[seat ?? -1] ?? "";
  const mounted = useRef(false);
  useEffect(() => {
    if (seat !== null && mounted.current) {
      announce(t("pass_to", { name }));
      if (movedElsewhere(table, lines, device.seats)) callPeople(table);
    }
    mounted.current = true;
    const pause = snapshot.clock?.running.includes(seat ?? -1) ? CLOCK_PAUSE : PAUSE;
    return seat === null ? undefined : afterPause(device.cover, pause);
  }, [seat]);
  if (seat === null) return null;
  return html`<button type="button" class="button primary hand-over" aria-label=${`${t("pass_button")}: ${name}`}
    onClick=${device.cover}>
    ${t("pass_button")}
  </button>`;
}

/**
 * Call people when the cover is shown and it has become the turn of somebody at this device.
 * @param {Connection | null} connection null while the table is shown: its page calls them, after a reveal
 * @param {number[]} seats of the people at this device
 * @param {number[]} asked those whom the page asks for
 */
function useCall(connection, seats, asked) {
  const snapshot = connection?.snapshot.value ?? null;
  const due = snapshot && seatsToAct(snapshot, asked).length > 0;
  const before = useRef(due);
  useEffect(() => {
    if (connection && snapshot && due && before.current === false)
      if (movedElsewhere(snapshot.table, connection.lines.peek(), seats)) callPeople(snapshot.table);
    before.current = due;
  }, [due]);
}

/**
 * Return whether the last move was not made at this device.
 * @param {Table} table
 * @param {Line[]} lines
 * @param {number[]} seats of the people at this device
 */
const movedElsewhere = (table, lines, seats) =>
  !seats.includes(lines.findLast((line) => line.seat < table.seats.length)?.seat ?? -1); // the dealer is no player

/**
 * Say that it is somebody's turn at this device.
 * @param {Table} table
 */
function callPeople({ game }) {
  playSound("turn");
  vibrate("turn");
  if (notify.peek() && document.hidden) void notifyTurn(t("title", {}, game));
}

/**
 * Call back when nobody has touched the page for a while and no sheet is open.
 * @param {() => void} call
 * @param {number} pause in milliseconds
 * @returns {() => void} stops it
 */
function afterPause(call, pause) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (document.querySelector("dialog[open]") ? wait() : call()), pause);
  };
  wait();
  const events = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"];
  events.forEach((name) => addEventListener(name, wait, { passive: true }));
  return () => {
    clearTimeout(timer);
    events.forEach((name) => removeEventListener(name, wait));
  };
}

/**
 * Covers the page until somebody says who they are. Escape does not close it, and Back leaves the table.
 * @param {object} props
 * @param {Snapshot} props.snapshot only what everybody may see is used
 * @param {number[]} props.seats of the people at this device
 * @param {number[]} props.asked those whom the page asks for
 * @param {number} props.next whom the device is for
 * @param {boolean} [props.stalled]
 * @param {(seat: number) => void} props.take
 */
function Cover({ snapshot, seats, asked, next, stalled, take }) {
  const names = seatNames(snapshot.table.seats);
  const elsewhere = seats.filter((seat) => !asked.includes(seat));
  const name = names[next] ?? "";
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const dialog = box.current;
    clearAnnouncements();
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  /** @param {Event} event */
  const stay = (event) => event.preventDefault();
  /** @param {KeyboardEvent} event */
  const ignoreEscape = (event) => event.key === "Escape" && event.preventDefault();
  return html`<dialog ref=${box} class="cover" aria-labelledby="cover" aria-describedby="cover-about" onCancel=${stay}
    onKeyDown=${ignoreEscape}>
    <div class="cover-inside">
      <span class=${`seat-face ${seatColour(next, null, names.length)}`} aria-hidden="true">${initial(name)}</span>
      <h1 id="cover" tabIndex=${-1} autofocus>${t("pass_to", { name })}</h1>
      <p id="cover-about" class="quiet">${t("pass_about", { name })}</p>
      <${CoverClock} snapshot=${snapshot} seat=${next} name=${name} />
      <button type="button" class="button primary big" onClick=${() => take(next)}>${t("pass_take", { name })}</button>
      <div class="cover-others">
        ${seats
          .filter((seat) => seat !== next)
          .map(
            (seat) => html`<button key=${seat} type="button" class="button plain" onClick=${() => take(seat)}>
              ${t("pass_other", { name: names[seat] })}
            </button>`,
          )}
      </div>
      ${elsewhere.map((seat) => html`<p key=${seat} class="quiet">${t("pass_elsewhere", { name: names[seat] })}</p>`)}
      <p class="quiet" role="status">${stalled && t("reconnecting")}</p>
    </div>
  </dialog>`;
}

/**
 * The time of the person whom the device is for, if their clock runs: the cover does not stop it. A warning is said
 * once.
 * @param {{snapshot: Snapshot, seat: number, name: string}} props
 */
function CoverClock({ snapshot, seat, name }) {
  const { clock } = snapshot;
  const runs = clock?.running.includes(seat) ?? false;
  const passed = useSeconds(snapshot, runs);
  if (!clock || !runs) return null;
  const left = (clock.left[seat] ?? 0) - passed;
  return html`<div class="cover-clock">
    <p><${ClockTime} left=${left} /> <span>${t(left > 0 ? "pass_clock" : "time_up_seat", { name })}</span></p>
    <p class="sr" role="status">${left > 0 && left <= SHORT && t("pass_clock_short", { name })}</p>
  </div>`;
}
