// What this browser remembers. Storage may be full, forbidden or absent (private windows): then it lasts as long as the page.

/** @type {Map<string, string>} */
const fallback = new Map();

/** @template T @param {string} key @param {T} otherwise @returns {T} */
export function recall(key, otherwise) {
  let found = fallback.get(key) ?? null;
  try {
    found = localStorage.getItem(`gramy.${key}`) ?? found;
  } catch {
    /* no storage here */
  }
  if (found === null) return otherwise;
  try {
    return JSON.parse(found);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {unknown} value */
export function remember(key, value) {
  const text = JSON.stringify(value);
  fallback.set(key, text);
  try {
    localStorage.setItem(`gramy.${key}`, text);
  } catch {
    /* no storage here */
  }
}

/** Nothing of this browser's reader is left in it. */
export function forgetEverything() {
  fallback.clear();
  try {
    Object.keys(localStorage)
      .filter((key) => key.startsWith("gramy."))
      .forEach((key) => localStorage.removeItem(key));
  } catch {
    /* no storage here */
  }
}

/**
 * A seat this browser has taken: the token alone is enough to come back to it.
 * @typedef {{table: string, game: string, seat: number, token: string, when: number}} Place
 */
const MOST_PLACES = 12;

/** @returns {Place[]} newest first */
export const places = () => recall("places", /** @type {Place[]} */ ([]));

/** @param {Omit<Place, "when">} place */
export function keepPlace(place) {
  const others = places().filter((other) => other.table !== place.table);
  remember("places", [{ ...place, when: Date.now() }, ...others].slice(0, MOST_PLACES));
}

/** @param {string} table */
export const forgetPlace = (table) =>
  remember(
    "places",
    places().filter((place) => place.table !== table),
  );

/** @param {string} table @returns {string | null} */
export const tokenOf = (table) => places().find((place) => place.table === table)?.token ?? null;
