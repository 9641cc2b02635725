// This browser's part in a deal: it commits to a random client seed, checks the closed list of all commitments, and
// only then reveals its seed. What it was shown is saved and compared with the record afterwards. See gramy.fair.
import { hashOfLines, hex } from "./sha256.js";
import { load, save } from "./storage.js";

/**
 * What this browser knows about an attempt to deal.
 * @typedef {object} KnownDeal
 * @property {string} key
 * @property {string} [commitment] the server's, as it was first shown
 * @property {boolean} [late] whether it was first shown after the deal
 * @property {string} [clientSeed]
 * @property {string[]} [list] the closed list of commitments
 * @property {boolean} [elsewhere] whether the server says that another device has committed for our seat
 * @property {boolean} [revealed] whether the server has confirmed our client seed
 * @property {DealProblem} [problem]
 *
 * @typedef {"left_out" | "list_changed" | "commitment_changed" | "accused"} DealProblem
 *
 * @typedef {{type: "commit" | "reveal", round: number, attempt: number, seat?: number, commitment?: string,
 *   client_seed?: string}} DealCommand
 */

const MOST_DEALS = 120;

/** @returns {KnownDeal[]} newest first */
const knownDeals = () => load("deals", /** @type {KnownDeal[]} */ ([]));

/**
 * Return what this browser knows of a deal for a seat. Several people may play on one device: each has a client seed,
 * and what the server has shown to one counts for all.
 * @param {string} table
 * @param {number} round
 * @param {number} attempt
 * @param {number | null} you
 * @returns {KnownDeal}
 */
export function knownDeal(table, round, attempt, you) {
  const place = `${table} ${round} ${attempt}`; // the key of who has watched, and of all in older versions of this page
  const key = you === null ? place : `${place} ${you}`;
  const all = knownDeals();
  const own = all.find((deal) => deal.key === key) ?? all.find((deal) => deal.key === place);
  if (own) return { ...own, key };
  const { commitment, late, list } = all.find((deal) => deal.key.startsWith(`${place} `)) ?? {};
  return { key, commitment, late, list };
}

/** @param {KnownDeal} deal */
const saveDeal = (deal) =>
  save("deals", [deal, ...knownDeals().filter((other) => other.key !== deal.key)].slice(0, MOST_DEALS));

/**
 * Save what a snapshot shows of a deal: the first commitment of the server counts, and so does the first closed list.
 * @param {string} table
 * @param {number | null} you
 * @param {number} round
 * @param {DealShown} deal
 * @returns {KnownDeal}
 */
export function rememberDeal(table, you, round, deal) {
  const before = knownDeal(table, round, deal.attempt, you);
  const known = { ...before };
  if (deal.seed === null && !known.commitment) {
    known.commitment = deal.commitment;
    known.late = deal.phase === "dealt";
  }
  if (deal.phase === "reveal") known.list ??= deal.commitments;
  known.problem ??= problemOf(table, you, round, deal, known);
  if (JSON.stringify(known) !== JSON.stringify(before)) saveDeal(known);
  return known;
}

/**
 * Return what is wrong with a deal, as far as this browser can tell.
 * @param {string} table
 * @param {number | null} you
 * @param {number} round
 * @param {DealShown} deal
 * @param {KnownDeal} known
 * @returns {DealProblem | undefined}
 */
function problemOf(table, you, round, deal, known) {
  if (known.commitment && deal.commitment !== known.commitment) return "commitment_changed";
  if (deal.phase === "reveal" && deal.commitments.join() !== known.list?.join()) return "list_changed";
  const wasAccused = deal.withheld.some(
    (seats, index) => you !== null && seats.includes(you) && knownDeal(table, round, index + 1, you).revealed,
  );
  if (wasAccused) return "accused";
  const closed = deal.phase === "reveal" || deal.phase === "dealt";
  const left = you !== null && known.list?.[you] !== ownCommitment(table, you, round, deal.attempt, known);
  return closed && known.clientSeed && !known.elsewhere && left ? "left_out" : undefined;
}

/**
 * Return the command that a deal asks of this browser now, if any.
 * @param {string} table
 * @param {number | null} you
 * @param {number} round
 * @param {DealShown} deal
 * @param {boolean} [botPlays] whether a bot plays this round for us
 * @returns {DealCommand | null}
 */
export function dealCommand(table, you, round, deal, botPlays = false) {
  const known = rememberDeal(table, you, round, deal);
  if (you === null || botPlays || known.problem) return null;
  const place = { round, attempt: deal.attempt };
  if (deal.phase === "commit" && !deal.commitments[you]) {
    known.clientSeed ??= hex(crypto.getRandomValues(new Uint8Array(16)));
    saveDeal(known);
    return { type: "commit", ...place, seat: you, commitment: ownCommitment(table, you, round, deal.attempt, known) };
  }
  if (deal.phase === "reveal" && known.clientSeed && !deal.client_seeds[you])
    return { type: "reveal", ...place, client_seed: known.clientSeed };
  return null;
}

/**
 * Save the server's answer to our part in a deal.
 * @param {string} table
 * @param {number | null} you
 * @param {DealCommand} part
 * @param {Message | null} refusal
 */
export function saveAnswer(table, you, { type, round, attempt }, refusal) {
  const known = knownDeal(table, round, attempt, you);
  if (!refusal && type === "reveal") saveDeal({ ...known, revealed: true });
  if (refusal?.key === "already_committed") saveDeal({ ...known, elsewhere: true });
}

/**
 * Return the commitment to our client seed.
 * @param {string} table
 * @param {number} seat
 * @param {number} round
 * @param {number} attempt
 * @param {KnownDeal} known
 */
export const ownCommitment = (table, seat, round, attempt, { commitment = "", clientSeed = "" }) =>
  clientCommitment(tableHash(table), round, attempt, seat, commitment, clientSeed);

/** @param {string} table */
export const tableHash = (table) => hex(hashOfLines("gramy table", table));

/**
 * @param {string} table the table's hash
 * @param {number} round
 * @param {number} attempt
 * @param {number} seat
 * @param {string} commitment the server's
 * @param {string} clientSeed
 */
export const clientCommitment = (table, round, attempt, seat, commitment, clientSeed) =>
  hex(hashOfLines("gramy client commitment", table, round, attempt, seat, commitment, clientSeed));

/**
 * The seats that were just taken, by token: the first commitment goes out with the first message of the connection.
 * @type {Map<string | null, {you: number, round: number, deal: DealShown}>}
 */
const taken = new Map();

/** @param {{table: string, seat: number, token: string, round: number, deal: DealShown}} answer */
export function rememberTaken({ table, seat, token, round, deal }) {
  rememberDeal(table, seat, round, deal);
  taken.set(token, { you: seat, round, deal });
}

/**
 * Return the deal of a seat that was just taken, once.
 * @param {string | null} token
 */
export function justTaken(token) {
  const found = taken.get(token);
  taken.delete(token);
  return found;
}
