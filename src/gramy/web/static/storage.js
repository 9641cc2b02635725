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
 * A seat taken in this browser. The token alone is enough to come back to it. `others` are the tokens of the people who
 * play at the same table on the same device.
 * @typedef {{table: string, game: string, seat: number, token: string, others?: string[], when: number}} SavedSeat
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
 * Return the tokens of the seats of this browser at a table: its user's first, then those of others at this device.
 * @param {string} table
 */
export function seatTokens(table) {
  const saved = savedSeats().find((seat) => seat.table === table);
  return saved ? [saved.token, ...(saved.others ?? [])] : [];
}

/**
 * Save the tokens of the others who play on this device at a table where it has a seat.
 * @param {string} table
 * @param {string[]} others
 */
export function saveOthers(table, others) {
  const saved = savedSeats().find((seat) => seat.table === table);
  if (saved) saveSeat({ ...saved, others });
}

/** @param {string} table */
const seatsElsewhere = (table) => savedSeats().filter((seat) => seat.table !== table);
