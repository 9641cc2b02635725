// A board may reveal an event step by step: in GRA cards turn over one by one. Until the reveal is finished, nothing
// around the board may show how it ends; until the board has closed it, nothing may cover it.
import { useMemo, useRef, useState } from "../vendor/preact.js";

/**
 * @param {import("./board.js").BoardModule | null} board
 * @param {number} round
 * @param {Line[]} lines
 */
export function useReveal(board, round, lines) {
  // How many lines the board has shown, and how many it has closed. Lines from before the board count as both; each
  // round has a new board.
  const progress = useRef({ round, shown: lines.length, closed: lines.length });
  const [, renderAgain] = useState(0);
  if (!board || progress.current.round !== round)
    progress.current = { round, shown: lines.length, closed: lines.length };

  /** @param {number} from */
  const nextReveal = (from) => lines.findIndex((line, index) => index >= from && board?.isReveal?.(line));
  const hidden = nextReveal(progress.current.shown);
  return {
    /** The log as far as it may be read. */
    shownLines: useMemo(() => (hidden < 0 ? lines : lines.slice(0, hidden)), [lines, hidden]),
    /** Whether the board has not yet shown how a reveal ends. */
    pending: hidden >= 0,
    /** Whether the board has not yet closed a reveal. */
    open: nextReveal(progress.current.closed) >= 0,
    /** @type {BoardProps["onReveal"]} */
    onReveal: (stage, at) => {
      progress.current.shown = at + 1;
      if (stage === "closed") progress.current.closed = at + 1;
      renderAgain((times) => times + 1);
    },
  };
}

/**
 * Return the latest value from before it was frozen.
 * @template T
 * @param {T} value
 * @param {boolean} frozen
 * @returns {T}
 */
export function useFrozen(value, frozen) {
  const last = useRef(value);
  if (!frozen) last.current = value;
  return last.current;
}
