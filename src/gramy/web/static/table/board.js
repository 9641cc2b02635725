// Loads the board of a game by the game's name; a game without a board of its own is played in words.
import { useEffect, useState } from "../vendor/preact.js";

/** @typedef {{Board: any, prompt: (snapshot: Snapshot, names: string[], t: Say) => string, wording?: (move: string, t: Say) => string, needsTalk?: boolean, inline?: import("./log.js").Inline, spoken?: (card: string) => string, needsSeats?: boolean, tells?: (line: Line) => boolean}} BoardModule `tells`: whether the board tells this line as a story, in its own time */

/** @type {Map<string, Promise<BoardModule>>} */
const loading = new Map();

/** @param {string} game @returns {Promise<BoardModule>} */
function load(game) {
  const found = loading.get(game) ?? import(`/static/games/${game}.js`).catch(() => import("./plain.js"));
  loading.set(game, found);
  return found;
}

/** @param {string} game @returns {BoardModule | null} */
export function useBoard(game) {
  const [board, setBoard] = useState(/** @type {{module: BoardModule} | null} */ (null));
  useEffect(() => {
    let current = true;
    void load(game).then((module) => current && setBoard({ module }));
    return () => {
      current = false;
    };
  }, [game]);
  return board?.module ?? null;
}
