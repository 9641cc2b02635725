// Opening tables and sitting down at them.
import { promised } from "../fair.js";
import { keepPlace } from "../memory.js";
import { request } from "../request.js";
import { go } from "../route.js";
import { level, nickname } from "../settings.js";
import { t } from "../text.js";

/** How many play when nobody says: enough for company, where the game allows it. */
const COMPANY = 3;

/** The name to sit down with; whoever has none gets a friendly one, and keeps it. */
export function ownName() {
  const wish = nickname.peek().trim();
  if (wish) return wish;
  const animals = t("nicknames").split(", ");
  nickname.value = animals[Math.floor(Math.random() * animals.length)] ?? "Gramy";
  return nickname.peek();
}

/** The level chosen last, or a fair one to begin with. @param {GameListed} game */
export const usualLevel = (game) => (game.levels.includes(level.peek()) ? level.peek() : (game.levels[0] ?? ""));

/** @param {GameListed} game @param {object} wishes as `POST /api/tables` takes them */
export async function openTable(game, wishes) {
  const opened = await request("/api/tables", {
    game: game.name,
    name: ownName(),
    public: false,
    clock: null,
    ...wishes,
  });
  seated(opened, game.name);
  go(`/t/${opened.table}`);
}

/** @param {GameListed} game */
export function playNow(game) {
  const players = Math.max(game.seats[0], Math.min(game.seats[1], COMPANY));
  const bot = { bot: usualLevel(game) };
  const seats = Array.from({ length: players }, (_, seat) => (seat ? bot : null));
  return openTable(game, { options: { players: String(players) }, seats });
}

/** @param {string} table @param {string} game @param {number} [seat] */
export async function sitDown(table, game, seat) {
  const wish = seat === undefined ? { name: ownName() } : { name: ownName(), seat };
  const taken = await request(`/api/tables/${encodeURIComponent(table)}/join`, wish);
  seated(taken, game);
  return taken;
}

/** @param {{table: string, seat: number, token: string, commitment: string}} taken @param {string} game */
function seated({ commitment, ...place }, game) {
  promised(place.table, 1, commitment);
  keepPlace({ ...place, game });
}
