// Opens tables and takes seats.
import { rememberTaken } from "../dealing.js";
import { forgetSeat, load, save, saveOthers, saveSeat, seatTokens } from "../storage.js";
import { reasonOf, request } from "../request.js";
import { navigate } from "../route.js";
import { nickname } from "../settings.js";
import { lastSettings, usualLevel } from "./last.js";
import { proposeName } from "./name.js";

/** Return the user's nickname; a user without one gets a random one, which is saved. */
function ownName() {
  proposeName();
  return nickname.peek().trim();
}

/**
 * Open a table and go there.
 * @param {GameListed} game
 * @param {object} settings more fields of `POST /api/tables`
 * @param {{seat: number, name: string}[]} [beside] the people who play on this device too
 */
export async function openTable(game, settings, beside = []) {
  const table = await openSilently(game, settings);
  try {
    for (const { seat, name } of beside) await sitBeside(table, seat, name);
  } catch (error) {
    forgetSeat(table); // the user corrects a name and opens another table
    throw error;
  }
  navigate(`/t/${table}`);
}

/**
 * Open a table and return its id.
 * @param {GameListed} game
 * @param {object} settings more fields of `POST /api/tables`
 * @returns {Promise<string>}
 */
export async function openSilently(game, settings) {
  const opened = await request("/api/tables", {
    game: game.name,
    name: ownName(),
    public: false,
    clock: null,
    ...settings,
  });
  saveTaken(opened, game.name);
  return opened.table;
}

/**
 * Open a table with bots and go there: with the settings with which the user last played the game.
 * @param {GameListed} game
 */
export function playNow(game) {
  const { players, options } = lastSettings(game, "alone");
  const bot = { bot: usualLevel(game) };
  const seats = Array.from({ length: players }, (_, seat) => (seat ? bot : null));
  return openTable(game, { options: { ...options, players: String(players) }, seats });
}

/**
 * Return the key of this browser's attempt to join a table: the same until an answer has arrived. When the answer is
 * lost, the second attempt gets the seat of the first.
 * @param {string} table and the seat, if it is one for somebody else
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
 * Take one more seat for somebody who plays on this device.
 * @param {string} table
 * @param {number} seat
 * @param {string} name
 */
export async function sitBeside(table, seat, name) {
  const body = { name, seat, another_seat: true, key: joinKey(`${table} ${seat}`) };
  const taken = await request(`/api/tables/${encodeURIComponent(table)}/join`, body);
  rememberTaken(taken);
  saveOthers(table, [...seatTokens(table).slice(1), taken.token]);
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
