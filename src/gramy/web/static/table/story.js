// A board may take its time to tell what happened: in GRA cards turn over one by one. Until the end is told, nothing around
// the board may give it away; until the board has cleared its stage, nothing may stand before it.
import { useMemo, useRef, useState } from "../vendor/preact.js";

/**
 * @param {import("./board.js").BoardModule | null} board
 * @param {number} round
 * @param {Line[]} lines
 */
export function useStory(board, round, lines) {
  // How many lines have been told, and how many are off the stage; whatever was there before the board is no news.
  const progress = useRef({ round, told: lines.length, cleared: lines.length });
  const [, renderAgain] = useState(0);
  if (!board) progress.current = { round, told: lines.length, cleared: lines.length };
  else if (progress.current.round !== round) progress.current = { round, told: 0, cleared: 0 };

  /** @param {number} from */
  const story = (from) => lines.findIndex((line, at) => at >= from && board?.tells?.(line));
  const secret = story(progress.current.told);
  return {
    /** The log as far as it may be read. */
    told: useMemo(() => (secret < 0 ? lines : lines.slice(0, secret)), [lines, secret]),
    secret: secret >= 0,
    staged: story(progress.current.cleared) >= 0,
    /** @type {BoardProps["tell"]} */
    tell: (stage) => {
      progress.current.told = lines.length;
      if (stage === "cleared") progress.current.cleared = lines.length;
      renderAgain((times) => times + 1);
    },
  };
}

/** The newest value that was seen while nothing was secret. @template T @param {T} value @param {boolean} secret @returns {T} */
export function useHeldBack(value, secret) {
  const last = useRef(value);
  if (!secret) last.current = value;
  return last.current;
}
