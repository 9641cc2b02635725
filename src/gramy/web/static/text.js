// Sentences: the server's catalogues, chosen by key, filled with values. The language can change at any time; whatever
// calls `t` or `say` while it renders is rendered again, because the catalogues are a signal.
import { signal } from "./vendor/preact.js";
import { recall, remember } from "./memory.js";
import { request } from "./request.js";

export const LANGUAGES = /** @type {const} */ ({ en: "English", pl: "Polski", de: "Deutsch" });

/** @typedef {keyof typeof LANGUAGES} Language */
/** @typedef {string | Record<string, string>} Entry */
/** @typedef {Record<string, Record<string, Entry>>} Catalogues */

/** Values that are seats, said by the names of who sits there. */
const SEATS = new Set(["seat", "seats", "winner", "loser", "bidder", "to_act"]);

const chosen = signal({
  language: /** @type {Language} */ ("en"),
  catalogues: /** @type {Catalogues} */ ({}),
  plurals: new Intl.PluralRules("en"),
});

export const language = () => chosen.value.language;

/** The remembered language, or the first of the browser's that is spoken here. @returns {Language} */
export function preferred() {
  const wishes = [recall("language", ""), ...navigator.languages].map((wish) => wish.slice(0, 2).toLowerCase());
  return /** @type {Language} */ (wishes.find((wish) => wish in LANGUAGES) ?? "en");
}

/** @param {Language} wish */
export async function speak(wish) {
  /** @type {Catalogues} */
  const catalogues = await request(`/api/text/${wish}`);
  chosen.value = { language: wish, catalogues, plurals: new Intl.PluralRules(wish) };
  document.documentElement.lang = wish;
}

/** Speaks a language and remembers that the reader asked for it. @param {Language} wish */
export async function choose(wish) {
  await speak(wish);
  remember("language", wish);
}

/** @param {string} key @param {Record<string, unknown>} [values] @param {string} [game] */
export function t(key, values = {}, game = "") {
  return said(key, values, [game, "web", "common"], []);
}

/** @param {Message} message @param {readonly string[]} [names] of the seats @returns {string} */
export function say(message, names = []) {
  return said(message.key, message.values, [message.game, "common", "web"], names);
}

/** As `t`, with the names of the seats. @param {string} key @param {Record<string, unknown>} values @param {string} game @param {readonly string[]} names */
export const told = (key, values, game, names) => said(key, values, [game, "web", "common"], names);

/** A chance as the reader's language writes it: “61%”. @param {number} chance @param {number} [digits] after the point */
export const percent = (chance, digits = 0) =>
  new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: digits }).format(chance);

/** Whether the catalogues have an entry. @param {string} key @param {string} [game] */
export const known = (key, game = "") => find(key, [game, "web", "common"]) !== undefined;

/** @param {string} key @param {string[]} scopes */
function find(key, scopes) {
  const { catalogues } = chosen.value;
  for (const scope of scopes) {
    const entry = catalogues[scope]?.[key];
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** @param {string} key @param {Record<string, unknown>} values @param {string[]} scopes @param {readonly string[]} names */
function said(key, values, scopes, names) {
  const entry = find(key, scopes);
  if (entry === undefined) return key;
  const sentence = typeof entry === "string" ? entry : form(entry, values[entry.by]);
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? word(name, values[name], names) : whole));
}

/** The sentence that a value decides on. @param {Record<string, string>} entry @param {unknown} value */
function form(entry, value) {
  const own = entry[String(value)];
  if (own !== undefined) return own;
  return (typeof value === "number" ? entry[chosen.value.plurals.select(value)] : undefined) ?? entry.other ?? "";
}

/** A value inside a sentence. @param {string} name @param {any} value @param {readonly string[]} names @returns {string} */
function word(name, value, names) {
  if (Array.isArray(value)) return value.map((item) => word(name, item, names)).join(", ");
  if (value && typeof value === "object" && "key" in value) return say(value, names);
  if (typeof value !== "number" || !SEATS.has(name)) return String(value);
  return (
    names[value] ?? (find(`seat_${value}`, ["common"]) ? t(`seat_${value}`) : t("seat_name", { seat: String(value) }))
  );
}
