// Translations. The server's catalogues hold sentences by key; values are filled in. The catalogues are a signal, so a
// component that calls `t` or `translate` while it renders is rendered again when the language changes.
import { signal } from "./vendor/preact.js";
import { request } from "./request.js";
import { load, save } from "./storage.js";

export const LANGUAGES = /** @type {const} */ ({ en: "English", pl: "Polski", de: "Deutsch" });

/** @typedef {keyof typeof LANGUAGES} Language */
/** @typedef {string | Record<string, string>} Entry */
/** @typedef {Record<string, Record<string, Entry>>} Catalogues */

/** Values that are seat numbers; a sentence shows the player's name instead. */
const SEATS = new Set(["seat", "seats", "winner", "loser", "bidder", "to_act"]);

/** Values that are probabilities where they are numbers; a sentence shows them in per cent. */
const CHANCES = new Set(["chance", "second"]);

const current = signal({
  language: /** @type {Language} */ ("en"),
  catalogues: /** @type {Catalogues} */ ({}),
  plurals: new Intl.PluralRules("en"),
});

/** @type {Set<(code: Language) => string>} */
const extras = new Set();

export const language = () => current.value.language;

/**
 * Return the saved language, or the first of the browser's languages that has a catalogue.
 * @returns {Language}
 */
export function preferredLanguage() {
  const codes = [load("language", ""), ...navigator.languages].map((code) => code.slice(0, 2).toLowerCase());
  return /** @type {Language} */ (codes.find((code) => code in LANGUAGES) ?? "en");
}

/**
 * Load the catalogues of a language and show it.
 * @param {Language} code
 */
export async function loadLanguage(code) {
  const paths = [`/static/text/${code}.json`, ...[...extras].map((pathOf) => pathOf(code))];
  /** @type {Catalogues} */
  const catalogues = Object.assign({}, ...(await Promise.all(paths.map((path) => request(path)))));
  current.value = { language: code, catalogues, plurals: new Intl.PluralRules(code) };
  document.documentElement.lang = code;
  document.querySelector("link[rel=manifest]")?.setAttribute("href", `/manifest/${code}.webmanifest`);
}

/**
 * Load a catalogue that only some pages need, now and with every other language.
 * @param {(code: Language) => string} pathOf its address in a language
 */
export async function addCatalogue(pathOf) {
  extras.add(pathOf);
  await loadLanguage(language());
}

/**
 * Show a language and save the choice.
 * @param {Language} code
 */
export async function chooseLanguage(code) {
  await loadLanguage(code);
  save("language", code);
}

/**
 * Return the sentence of a key: from the game's catalogue, then the client's, then the common one.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @param {string} [game]
 * @param {readonly string[]} [names] of the players, by seat
 */
export function t(key, values = {}, game = "", names = []) {
  return sentence(key, values, [game, "web", "common", "room"], names);
}

/**
 * Return the sentence of a message from the server.
 * @param {Message} message
 * @param {readonly string[]} [names] of the players, by seat
 * @returns {string}
 */
export function translate(message, names = []) {
  return sentence(message.key, message.values, [message.game, "common", "web"], names);
}

/**
 * Return `t` and `translate` with the players' names filled in.
 * @param {string[]} names
 */
export const textFor = (names) => ({
  translate: (/** @type {Message} */ message) => translate(message, names),
  t: /** @type {Translate} */ ((key, values = {}, game = "") => t(key, values, game, names)),
});

/**
 * Return a player's name. Without one (it was deleted) return “Person 2”.
 * @param {string} name
 * @param {number} seat
 */
export const playerName = (name, seat) => name || t("nameless", { number: seat + 1 });

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Return the characters of a text as people count them: a joined emoji is one.
 * @param {string} words
 */
const charactersOf = (words) => [...characters.segment(words)].map(({ segment }) => segment);

/**
 * Return the first character of a name, for an avatar.
 * @param {string} name
 */
export const initial = (name) => charactersOf(name.trim())[0]?.toUpperCase() ?? "?";

/**
 * Return a nickname as far as the server takes it: 24 characters, and 64 code points, without cutting an emoji.
 * @param {string} name
 */
export function shortName(name) {
  let shown = "";
  for (const character of charactersOf(name).slice(0, 24)) {
    if ([...shown, ...character].length > 64) break;
    shown += character;
  }
  return shown;
}

/**
 * Return the names to show for the seats of a table. A bot account's name says so, on every board and in every log.
 * @param {{kind: string, name: string, bot_account?: boolean}[]} seats
 */
export const seatNames = (seats) =>
  seats.map(({ kind, name, bot_account }, seat) => {
    if (kind === "open") return t("open_seat");
    return bot_account ? t("bot_name", { name: playerName(name, seat) }) : playerName(name, seat);
  });

/**
 * Format a chance in the current language: “61%”.
 * @param {number} chance
 * @param {number} [digits] after the point
 */
export const percent = (chance, digits = 0) =>
  new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: digits }).format(chance);

/**
 * @param {string} key
 * @param {string[]} scopes catalogues to search, in this order
 */
function lookUp(key, scopes) {
  const { catalogues } = current.value;
  for (const scope of scopes) {
    const entry = catalogues[scope]?.[key];
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/**
 * @param {string} key
 * @param {Record<string, unknown>} values
 * @param {string[]} scopes
 * @param {readonly string[]} names
 */
function sentence(key, values, scopes, names) {
  const entry = lookUp(key, scopes);
  if (entry === undefined) return key;
  const pattern = typeof entry === "string" ? entry : selectForm(entry, values[entry.by]);
  return pattern.replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? formatValue(name, values[name], names) : whole,
  );
}

/**
 * Return the form of an entry for a value: the value's own form, or a number's plural form.
 * @param {Record<string, string>} entry
 * @param {unknown} value
 */
function selectForm(entry, value) {
  const own = entry[String(value)];
  if (own !== undefined) return own;
  return (typeof value === "number" ? entry[current.value.plurals.select(value)] : undefined) ?? entry.other ?? "";
}

/**
 * @param {string} name
 * @param {any} value
 * @param {readonly string[]} names
 * @returns {string}
 */
function formatValue(name, value, names) {
  if (Array.isArray(value)) return value.map((item) => formatValue(name, item, names)).join(", ");
  if (value && typeof value === "object" && "key" in value) return translate(value, names);
  if (typeof value === "number" && CHANCES.has(name)) return percent(value);
  if (typeof value !== "number" || !SEATS.has(name)) return String(value);
  return (
    names[value] ?? (lookUp(`seat_${value}`, ["common"]) ? t(`seat_${value}`) : t("seat_name", { seat: String(value) }))
  );
}
