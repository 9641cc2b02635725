// Verification of a finished match: the cards are dealt again here, and everything is compared with what this browser
// was shown during the match. See gramy.fair and gramy.verification.
import { clientCommitment, knownDeal, tableHash } from "./dealing.js";
import { request } from "./request.js";
import { hashOfLines, hex, sha256, utf8 } from "./sha256.js";
import { load } from "./storage.js";

/**
 * What the server publishes when the match is over.
 * @typedef {{line: number, pool: string[], dealt: string[]}} Deal
 * @typedef {{seed: string, commitment: string, commitments: string[], client_seeds: string[]}} VoidAttempt
 * @typedef {{table: string, round: number, attempt: number, commitments: string[], voids: VoidAttempt[]}} Exchange
 * @typedef {{commitment: string, seed: string, client_seeds: string[], exchange: Exchange | null, deals: Deal[]}
 *   } DealRecord
 *
 * One check, with the key of its sentence. `unknown`: this browser did not see what it would compare with.
 * @typedef {"ok" | "note" | "unknown" | "failed"} State
 * @typedef {{key: string, state: State, values: Record<string, unknown>}} Check
 */

const DEALER = 6;
const NO_COMMITMENT = "-";

/**
 * Check the deal of a finished match; null without a record of it.
 * @param {string} table
 * @param {number} round
 * @param {number | null} you the user's seat, whose client seed must be among the client seeds
 * @param {Line[]} [seen] the log as this browser received it during the match
 * @returns {Promise<Check[] | null>}
 */
export async function verifyDeal(table, round, you, seen = []) {
  /** @type {DealRecord | null} */
  const record = await request(`/api/deal/${encodeURIComponent(table)}/${round}`);
  if (!record) return null;
  const { exchange } = record;
  const known = exchange ? knownDeal(table, round, exchange.attempt, you) : oldKnownDeal(table, round);
  return [
    serverSeed(record, known),
    commitmentList(record, known),
    ...(you === null || !known.clientSeed ? [] : [ownSeed(record, known, you)]),
    ...(exchange ? [reveals(record, exchange, tableHash(table), round), voids(exchange, table, round, you)] : []),
    cards(record, seen),
  ];
}

/**
 * @param {string} key
 * @param {State} state
 * @param {Record<string, unknown>} [values]
 * @returns {Check}
 */
const check = (key, state, values = {}) => ({ key: `check_${key}`, state, values: { state, ...values } });

/**
 * What an older version of this page saved.
 * @param {string} table
 * @param {number} round
 * @returns {import("./dealing.js").KnownDeal}
 */
const oldKnownDeal = (table, round) =>
  load("pledges", /** @type {import("./dealing.js").KnownDeal[]} */ ([])).find(
    ({ key }) => key === `${table} ${round}`,
  ) ?? { key: "" };

/**
 * @param {DealRecord} record
 * @param {import("./dealing.js").KnownDeal} known
 */
function serverSeed(record, known) {
  const commitment = hex(sha256(utf8(record.seed)));
  if (commitment !== (known.commitment ?? record.commitment) || commitment !== record.commitment)
    return check("server_seed", "failed");
  return check("server_seed", known.commitment && !known.late ? "ok" : "unknown");
}

/**
 * @param {DealRecord} record
 * @param {import("./dealing.js").KnownDeal} known
 */
function commitmentList({ exchange, client_seeds: clientSeeds }, known) {
  if (!exchange) return check("list", known.list ? "failed" : "note", { case: known.list ? "failed" : "one_phase" });
  if (known.list && known.list.join() !== exchange.commitments.join())
    return check("list", "failed", { case: "changed" });
  if (!clientSeeds.some(Boolean)) return check("list", "note", { case: "nobody" });
  const without = exchange.commitments.flatMap((commitment, seat) => (commitment === NO_COMMITMENT ? [seat] : []));
  if (without.length) return check("list", "note", { case: "without", seats: without });
  return check("list", known.list ? "ok" : "unknown", { case: known.list ? "ok" : "unseen" });
}

/**
 * @param {DealRecord} record
 * @param {import("./dealing.js").KnownDeal} known
 * @param {number} you
 */
function ownSeed(record, known, you) {
  if (record.client_seeds[you] === known.clientSeed) return check("own", "ok", { case: "ok" });
  if (known.elsewhere) return check("own", "note", { case: "elsewhere" });
  return known.problem === "left_out"
    ? check("own", "note", { case: "left_out" })
    : check("own", "failed", { case: "" });
}

/**
 * @param {DealRecord} record
 * @param {Exchange} exchange
 * @param {string} table the table's hash
 * @param {number} round
 */
function reveals(record, exchange, table, round) {
  const wrong = wrongReveal(record, exchange, exchange.attempt, table, round);
  const missing = exchange.commitments.findIndex(
    (commitment, seat) => commitment && commitment !== NO_COMMITMENT && !record.client_seeds[seat],
  );
  const seat = wrong < 0 ? missing : wrong;
  if (exchange.table !== table || exchange.round !== round) return check("reveals", "failed", { case: "place" });
  return seat < 0 ? check("reveals", "ok", { case: "ok" }) : check("reveals", "failed", { case: "failed", seat });
}

/**
 * Return the first seat whose client seed does not match its commitment, or -1.
 * @param {{commitment: string, client_seeds: string[]}} deal
 * @param {{commitments: string[]}} list
 * @param {number} attempt
 * @param {string} table the table's hash
 * @param {number} round
 */
const wrongReveal = ({ commitment, client_seeds }, { commitments }, attempt, table, round) =>
  client_seeds.findIndex(
    (seed, seat) => seed && commitments[seat] !== clientCommitment(table, round, attempt, seat, commitment, seed),
  );

/**
 * @param {Exchange} exchange
 * @param {string} table
 * @param {number} round
 * @param {number | null} you
 */
function voids(exchange, table, round, you) {
  const wrong = exchange.voids.some((attempt, index) => {
    const known = knownDeal(table, round, index + 1, you);
    const commitment = hex(sha256(utf8(attempt.seed)));
    return (
      commitment !== attempt.commitment ||
      (known.commitment ?? commitment) !== commitment ||
      (known.list ?? attempt.commitments).join() !== attempt.commitments.join() ||
      !withheld(attempt).length ||
      wrongReveal(attempt, attempt, index + 1, tableHash(table), round) >= 0
    );
  });
  if (wrong) return check("voids", "failed");
  const seats = exchange.voids.flatMap(withheld);
  return seats.length ? check("voids", "note", { seats }) : check("voids", "ok");
}

/** @param {VoidAttempt} attempt */
const withheld = ({ commitments, client_seeds }) =>
  commitments.flatMap((commitment, seat) =>
    commitment && commitment !== NO_COMMITMENT && !client_seeds[seat] ? [seat] : [],
  );

/**
 * Deal all cards again.
 * @param {DealRecord} record
 * @param {Line[]} seen
 */
function cards(record, seen) {
  const { exchange, seed, client_seeds: clientSeeds, deals } = record;
  const key = exchange
    ? hashOfLines("gramy deal 2", exchange.table, exchange.round, exchange.attempt, seed, ...clientSeeds)
    : hashOfLines("gramy deal 1", seed, ...clientSeeds);
  const dealtLines = seen.flatMap(({ seat }, index) => (seat === DEALER ? [index + 1] : []));
  const missing = seen.length > 0 && dealtLines.find((line, index) => deals[index]?.line !== line);
  if (missing) return check("cards", "failed", { line: missing });
  for (const [number, { line, pool, dealt }] of deals.entries()) {
    const expected = pickCards(key, number, pool, dealt.length);
    const shown = seen[line - 1]?.move.split(" ").slice(-dealt.length) ?? ["?"];
    const asShown = shown.includes("?") || shown.join() === dealt.join(); // other players' cards were hidden
    if (expected.join() !== dealt.join() || !asShown) return check("cards", "failed", { line });
  }
  return check("cards", "ok", { deals: deals.length });
}

/**
 * Pick `number` cards of a pool, in the pool's order.
 * @param {Uint8Array} key
 * @param {number} deal
 * @param {string[]} pool
 * @param {number} number
 */
function pickCards(key, deal, pool, number) {
  const numbers = randomNumbers(key, deal);
  const left = pool.map((_, index) => index);
  /** @type {number[]} */
  const picked = [];
  while (picked.length < number && left.length) {
    const most = BigInt(left.length);
    const limit = ((1n << 64n) / most) * most; // numbers above it would make the first cards slightly likelier
    const { value } = numbers.next();
    if (value < limit) picked.push(...left.splice(Number(value % most), 1));
  }
  return picked.sort((one, two) => one - two).map((index) => pool[index]);
}

/**
 * Yield 64-bit numbers without end: SHA-256 of the key, the deal and a counter.
 * @param {Uint8Array} key
 * @param {number} deal
 * @returns {Generator<bigint, never>}
 */
function* randomNumbers(key, deal) {
  const source = new Uint8Array([...key, ...new Uint8Array(8)]);
  const tail = new DataView(source.buffer, key.length);
  tail.setUint32(0, deal);
  for (let block = 0; ; block += 1) {
    tail.setUint32(4, block);
    const bytes = new DataView(sha256(source).buffer);
    for (let offset = 0; offset < bytes.byteLength; offset += 8) yield bytes.getBigUint64(offset);
  }
}
