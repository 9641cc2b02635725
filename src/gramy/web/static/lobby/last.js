// The settings with which the user last played each game: the number of players and the variants.
import { load, save } from "../storage.js";
import { level } from "../settings.js";

/** The number of players at first, where the game allows it. */
const USUAL_PLAYERS = 3;

/**
 * Alone against bots, and with friends: a user may like other variants with each.
 * @typedef {"alone" | "friends"} Company
 * @typedef {{players: number, options: Options}} LastSettings
 */

/**
 * Return the level chosen last, or the first.
 * @param {GameListed} game
 */
export const usualLevel = (game) => (game.levels.includes(level.value) ? level.value : (game.levels[0] ?? ""));

/**
 * Return the last settings, as far as the game still has them; at first the usual ones.
 * @param {GameListed} game
 * @param {Company} company
 * @returns {LastSettings}
 */
export function lastSettings({ name, seats: [least, most], options: allowed }, company) {
  const saved = load(`last.${company}`, /** @type {Record<string, LastSettings>} */ ({}))[name];
  const usual = company === "alone" ? USUAL_PLAYERS : least;
  const players = saved?.players ?? usual;
  const kept = Object.entries(saved?.options ?? {}).filter(([option, value]) => allowed[option]?.includes(value));
  return { players: Math.max(least, Math.min(most, players)), options: Object.fromEntries(kept) };
}

/**
 * @param {GameListed} game
 * @param {Company} company
 * @param {LastSettings} settings
 */
export function saveSettings({ name }, company, settings) {
  save(`last.${company}`, { ...load(`last.${company}`, {}), [name]: settings });
}

/**
 * Return the variants that differ from the game as it is usually played.
 * @param {GameListed} game
 * @param {Options} options
 */
export const variantsIn = (game, options) =>
  Object.keys(options).filter((name) => name !== "players" && options[name] !== game.options[name]?.[0]);
