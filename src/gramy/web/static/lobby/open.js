// Opens tables and takes seats.
import { rememberTaken } from "../dealing.js";
import { load, save, saveSeat } from "../storage.js";
import { reasonOf, request } from "../request.js";
import { navigate } from "../route.js";
import { level, nickname } from "../settings.js";
import { t } from "../text.js";

/** The number of players for “play now”, where the game allows it. */
const USUAL_PLAYERS = 3;

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

/** Return the user's nickname; a user without one gets a random one, which is saved. */
function ownName() {
  proposeName();
  return nickname.peek().trim();
}

/**
 * Return the level chosen last, or the first.
 * @param {GameListed} game
 */
export const usualLevel = (game) => (game.levels.includes(level.peek()) ? level.peek() : (game.levels[0] ?? ""));

/**
 * @param {GameListed} game
 * @param {object} settings more fields of `POST /api/tables`
 */
export async function openTable(game, settings) {
  const opened = await request("/api/tables", {
    game: game.name,
    name: ownName(),
    public: false,
    clock: null,
    ...settings,
  });
  saveTaken(opened, game.name);
  navigate(`/t/${opened.table}`);
}

/**
 * Open a table with bots and go there.
 * @param {GameListed} game
 */
export function playNow(game) {
  const players = Math.max(game.seats[0], Math.min(game.seats[1], USUAL_PLAYERS));
  const bot = { bot: usualLevel(game) };
  const seats = Array.from({ length: players }, (_, seat) => (seat ? bot : null));
  return openTable(game, { options: { players: String(players) }, seats });
}

/**
 * Return the key of this browser's attempt to join a table: the same until an answer has arrived. When the answer is
 * lost, the second attempt gets the seat of the first.
 * @param {string} table
 */
function joinKey(table) {
  const saved = load("join", /** @type {{table: string, key: string} | null} */ (null));
  if (saved?.table === table) return saved.key;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  save("join", { table, key });
  return key;
}

/**
 * Take a seat: the given one, or any free one. A user who sits there already keeps their seat.
 * @param {string} table
 * @param {string} game
 * @param {number} [seat]
 */
export async function sitDown(table, game, seat) {
  const body = { name: ownName(), key: joinKey(table), ...(seat !== undefined && { seat }) };
  try {
    saveTaken(await request(`/api/tables/${encodeURIComponent(table)}/join`, body), game);
  } catch (error) {
    if (reasonOf(error).key !== "already_seated") throw error;
  }
  save("join", null);
}

/**
 * @param {{table: string, seat: number, token: string, round: number, deal: DealShown}} taken
 * @param {string} game
 */
function saveTaken(taken, game) {
  const { table, seat, token } = taken;
  rememberTaken(taken);
  saveSeat({ table, seat, token, game });
}
