// Loads the board of a game by the game's name. A game without a board gets buttons for its moves (plain.js).
import { useEffect, useState } from "../vendor/preact.js";

/**
 * What a module in static/games/ exports.
 * @typedef {object} BoardModule
 * @property {any} Board the component; its props are BoardProps
 * @property {(snapshot: Snapshot, names: string[], t: Translate) => string} prompt what the table is waiting for
 * @property {(move: string, t: Translate) => string} [describeMove]
 * @property {(snapshot: Snapshot, t: Translate) => [string, string][]} [keys] the board's keys and what each does
 * @property {(snapshot: Snapshot, t: Translate) => string} [headline] of a match that the viewer has lost
 * @property {(message: Message) => Message} [inWords] replaces the codes in a message by words
 * @property {(event: Message) => string | undefined} [cardIn] the card that an event names, to draw it
 * @property {import("./log.js").InlineCard} [inlineCard]
 * @property {(line: Line) => boolean} [isReveal] whether the board reveals this line step by step
 * @property {boolean} [needsTalk] the board has no table talk of its own
 * @property {boolean} [needsSeats] the board draws no players
 */

/**
 * Return a message with words instead of the codes of cards and moves, for people who read or hear it.
 * @param {Message} message
 * @param {BoardModule | null} [board]
 */
export const inWords = (message, board) => board?.inWords?.(message) ?? message;

/** @type {Map<string, Promise<BoardModule>>} */
const loading = new Map();
/** @type {Map<string, BoardModule>} */
const loaded = new Map();

/**
 * @param {string} game
 * @returns {Promise<BoardModule>}
 */
function load(game) {
  const found = loading.get(game) ?? import(`/static/games/${game}.js`).catch(() => import("./plain.js"));
  loading.set(game, found);
  void found.then((module) => loaded.set(game, module));
  return found;
}

// The page names its game, so the board need not wait for the first snapshot.
const { game: gameOfPage } = document.documentElement.dataset;
if (gameOfPage) void load(gameOfPage);

/** @param {BoardModule} [module] */
const boardOf = (module) => (module ? { module } : null);

/**
 * Return the board's module, or null until it is loaded.
 * @param {string} game
 * @returns {BoardModule | null}
 */
export function useBoard(game) {
  const [board, setBoard] = useState(() => boardOf(loaded.get(game)));
  useEffect(() => {
    let current = true;
    if (board && loaded.get(game) === board.module) return undefined;
    void load(game).then((module) => current && setBoard(boardOf(module)));
    return () => {
      current = false;
    };
  }, [game]);
  return board?.module ?? null;
}
