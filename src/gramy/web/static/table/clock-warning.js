// Shortly before a player's time is up, the table says what will happen then.
import { useEffect } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { t } from "../text.js";
import { useSeconds } from "./seats.js";

/** From so many seconds on, the prompt counts down. */
const SHORT = 20;

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
