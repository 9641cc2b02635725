// What a snapshot does besides being shown: sounds, announcements, the tab's title, a note when the page is in the background.
import { useEffect, useRef } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { notify } from "../settings.js";
import { play } from "../sound.js";
import { say, t } from "../text.js";
import { news } from "./log.js";

/** The sound of an event, whichever game it is from. @type {Record<string, string>} */
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

/** @param {Message} event @param {(card: string) => string} [spoken] @returns {Message} */
const withSpokenCard = (event, spoken) =>
  spoken && typeof event.values.card === "string"
    ? { ...event, values: { ...event.values, card: spoken(event.values.card) } }
    : event;

/**
 * @param {{snapshot: Snapshot, lines: Line[], told: Line[], names: string[], mine: boolean, line: string, title: string, spoken?: (card: string) => string}} state
 * `told` is as much of the log as may be said; sounds give nothing away; `spoken` names a card for screen readers
 */
export function useTelling({ snapshot, lines, told, names, mine, line, title, spoken }) {
  const { table, view, you } = snapshot;
  useNews(lines, table.round, (fresh) => {
    const sounds = new Set(fresh.flatMap((one) => one.events.map(soundOf)));
    sounds.forEach((name) => name && play(name));
  });
  useNews(told, table.round, (fresh) => {
    fresh.forEach(
      (line, at) =>
        line.seat !== you &&
        announce(
          news(line, fresh[at - 1])
            .map((event) => say(withSpokenCard(event, spoken), names))
            .join(" "),
        ),
    );
  });

  const over = view?.outcome ?? null;
  const before = useRef(over !== null);
  useEffect(() => {
    if (over && !before.current) play(you === null || over.winners.includes(you) ? "win" : "lose");
    before.current = over !== null;
  }, [over !== null]);

  const first = useRef(true);
  useEffect(() => {
    if (mine && !first.current) {
      play("turn");
      announce(line);
      if (notify.peek() && document.hidden) note(title);
    }
    first.current = false;
  }, [mine]);
  useEffect(() => {
    document.title = mine ? t("title_turn", { title }) : `${title} · Gramy`;
    return () => {
      document.title = "Gramy";
    };
  }, [mine, title]);
}

/** Calls back with each line once; what was there before us is no news. @param {Line[]} lines @param {number} round @param {(fresh: Line[]) => void} hear */
function useNews(lines, round, hear) {
  const heard = useRef({ round, lines: lines.length });
  useEffect(() => {
    const from = heard.current.round === round ? heard.current.lines : 0;
    heard.current = { round, lines: lines.length };
    hear(lines.slice(from));
  }, [lines]);
}

/** @param {string} title */
function note(title) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification(title, { body: t("notice_turn"), icon: "/static/icon.svg", tag: "gramy-turn" });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
