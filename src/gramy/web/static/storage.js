// What this browser stores. Storage may be full, forbidden or absent; then values last as long as the page.

/** @type {Map<string, string>} */
const fallback = new Map();

/**
 * Return a stored value, or `initial`.
 * @template T
 * @param {string} key
 * @param {T} initial
 * @returns {T}
 */
export function load(key, initial) {
  let found = fallback.get(key) ?? null;
  try {
    found = localStorage.getItem(`gramy.${key}`) ?? found;
  } catch {
    /* no storage here */
  }
  if (found === null) return initial;
  try {
    return JSON.parse(found);
  } catch {
    return initial;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
export function save(key, value) {
  const text = JSON.stringify(value);
  fallback.set(key, text);
  try {
    localStorage.setItem(`gramy.${key}`, text);
  } catch {
    /* no storage here */
  }
}

/** Delete everything that the client has stored in this browser. */
export function clearStorage() {
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
 * A seat taken in this browser. The token alone is enough to come back to it.
 * @typedef {{table: string, game: string, seat: number, token: string, when: number}} SavedSeat
 */
const MOST_SEATS = 12;

/** @returns {SavedSeat[]} newest first */
export const savedSeats = () => load("places", /** @type {SavedSeat[]} */ ([]));

/** @param {Omit<SavedSeat, "when">} seat */
export function saveSeat(seat) {
  save("places", [{ ...seat, when: Date.now() }, ...seatsElsewhere(seat.table)].slice(0, MOST_SEATS));
}

/** @param {string} table */
export const forgetSeat = (table) => save("places", seatsElsewhere(table));

/**
 * @param {string} table
 * @returns {string | null}
 */
export const seatToken = (table) => savedSeats().find((seat) => seat.table === table)?.token ?? null;

/** @param {string} table */
const seatsElsewhere = (table) => savedSeats().filter((seat) => seat.table !== table);
