// What a snapshot causes besides being shown: sounds, announcements, vibration, the signs of the user's turn, and a
// notification while the page is in the background.
import { useEffect, useRef } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { notify } from "../settings.js";
import { playSound } from "../sound.js";
import { t } from "../text.js";
import { eventSentence, eventsToShow } from "./log.js";
import { showTurn, vibrate } from "./turn-sign.js";

/** @typedef {import("./board.js").BoardModule} BoardModule */

/**
 * The sound of an event, in every game.
 * @type {Record<string, string>}
 */
const SOUND_OF = {
  laid: "lay",
  ended: "draw",
  bid: "bid",
  chose: "lay",
  checked: "check",
  revealed: "reveal",
  said: "help",
};

/** @param {Message} event */
function soundOf({ key, values }) {
  if (key === "laid" && values.trick) return "trick";
  if (key === "laid" && String(values.on).startsWith("help")) return "help";
  return SOUND_OF[key];
}

/**
 * @param {object} state
 * @param {Snapshot} state.snapshot
 * @param {Line[]} state.lines the whole log: its sounds do not spoil a reveal
 * @param {Line[]} state.shownLines the log as far as it may be read
 * @param {string[]} state.names
 * @param {boolean} state.myTurn
 * @param {string} state.prompt
 * @param {string} state.title
 * @param {BoardModule | null} [state.board]
 * @param {number[]} [state.here] the seats of the people at this device, if there are several
 */
export function useNotifications({ snapshot, lines, shownLines, names, myTurn, prompt, title, board, here }) {
  const { table, view, you } = snapshot;
  useNewLines(lines, table.round, (added) => {
    const sounds = new Set(added.flatMap((line) => line.events.map(soundOf)));
    sounds.forEach((name) => name && playSound(name));
    if (added.some((line) => line.seat === you)) vibrate("move");
  });
  useNewLines(shownLines, table.round, (added) => {
    if (!board) return; // it knows the words for cards and moves
    added.forEach((line, index) => {
      if (line.seat === you) return;
      const events = eventsToShow(line, added[index - 1]);
      announce(events.map((event) => eventSentence(event, names, board)).join(" "));
    });
  });

  const outcome = view?.outcome ?? null;
  const over = outcome !== null;
  const wasOver = useRef(over);
  useEffect(() => {
    if (outcome && !wasOver.current)
      playSound(you === null || outcome.winners.some((seat) => (here ?? [you]).includes(seat)) ? "win" : "lose");
    wasOver.current = over;
  }, [over]);

  const first = useRef(true);
  useEffect(() => {
    if (myTurn && !first.current) {
      playSound("turn");
      vibrate("turn");
      announce(prompt);
      if (notify.peek() && document.hidden) void notifyTurn(title);
    }
    first.current = false;
  }, [myTurn]);
  useEffect(() => {
    document.title = myTurn ? t("title_turn", { title }) : `${title} · Gramy`;
    showTurn(myTurn);
    return () => {
      document.title = "Gramy";
      showTurn(false);
    };
  }, [myTurn, title]);
}

/**
 * Call back once with the lines that were added. Lines from before the first render are not new.
 * @param {Line[]} lines
 * @param {number} round
 * @param {(added: Line[]) => void} onAdded
 */
function useNewLines(lines, round, onAdded) {
  const last = useRef({ round, length: lines.length });
  useEffect(() => {
    const from = last.current.round === round ? last.current.length : 0;
    last.current = { round, length: lines.length };
    onAdded(lines.slice(from));
  }, [lines]);
}

/**
 * Show a notification: by the service worker where there is one, because phones allow no other way.
 * @param {string} title
 */
export async function notifyTurn(title) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const about = {
    body: t("notice_turn"),
    icon: "/static/icons/icon-192.png",
    badge: "/static/icons/badge-96.png",
    tag: "gramy-turn",
    data: { path: location.pathname },
  };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) {
    await worker.showNotification(title, about);
    return;
  }
  const notification = new Notification(title, about);
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}
