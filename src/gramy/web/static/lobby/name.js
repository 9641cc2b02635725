// Proposes a name to a user who has none.
import { nickname } from "../settings.js";
import { t } from "../text.js";

/** The names of the server's bots, from which a proposed name must be easy to tell. */
const BOTS = ["Kika", "Otto", "Mimi", "Leo", "Zuza", "Nero", "Bruno", "Hela", "Gizmo", "Tola", "Pako", "Yuki"];
/** Names that begin with the same letters, so many of them, are easily confused. */
const ALIKE = 3;

/** @param {string} name */
const key = (name) => name.normalize("NFKC").toLowerCase().replaceAll(" ", "").slice(0, ALIKE);

/** The name that was proposed last: the user has not chosen it, so another one may replace it. */
let proposed = "";

/**
 * Fill in a name if the user has none, or if the one that was proposed is like that of somebody at the table.
 * @param {string[]} [others] the names at the table
 */
export function proposeName(others = []) {
  const taken = new Set([...BOTS, ...others].map(key));
  const name = nickname.peek().trim();
  if (name && (name !== proposed || !taken.has(key(name)))) return;
  const animals = t("nicknames").split(", ");
  const free = animals.filter((animal) => !taken.has(key(animal)));
  const choice = free.length ? free : animals;
  proposed = choice[Math.floor(Math.random() * choice.length)] ?? "Gramy";
  nickname.value = proposed;
}
