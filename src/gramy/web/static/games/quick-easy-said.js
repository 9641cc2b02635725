// What the players of Quick & Easy have said, and what of it still holds. Only public facts count: the log.
//
// A phrase about a card ("green low") holds until its speaker lays a card that fits it, or says something else about
// it: something more exact, or more than their cards can be. A phrase about a pile holds until its speaker lays a card
// there; "I can turn it back" also until the pile has another colour. Whoever has laid all cards has said nothing of
// the next ones. What is taken back was never laid.

import { html } from "../vendor/preact.js";
import { COLOURS, Symbol } from "../ui/card.js";

const GAME = "quick-easy";
export const NAMES = /** @type {string[]} */ (Object.values(COLOURS));
/** The heights by their words (Q16): the lowest and the highest number. */
export const HEIGHTS = /** @type {const} */ ({
  low: [1, 2],
  lowish: [3, 4],
  middle: [5, 6],
  highish: [7, 8],
  high: [9, 10],
});

/** @typedef {{phrase: string, line: number}} SpokenPhrase */

/**
 * Return the lowest and the highest number of a height; null for a word that is none.
 * @param {string} word
 */
export const heightOf = (word) => (word in HEIGHTS ? HEIGHTS[/** @type {keyof typeof HEIGHTS} */ (word)] : null);

/** @param {string} phrase */
export const isAboutCard = (phrase) => NAMES.includes(phrase.split(" ")[0] ?? "");

/**
 * Return whether a phrase about a card describes this one.
 * @param {string} phrase
 * @param {string} card
 */
export function describes(phrase, card) {
  const [colour = "", word = ""] = phrase.split(" ");
  const [lowest, highest] = heightOf(word) ?? [1, 10];
  const number = Number(card.slice(1));
  return colour === COLOURS[/** @type {keyof typeof COLOURS} */ (card[0])] && number >= lowest && number <= highest;
}

/**
 * Return what each seat has said and what still holds, the oldest phrase first.
 * @param {Line[]} lines
 * @returns {Map<number, SpokenPhrase[]>}
 */
export function standingPhrases(lines) {
  /** @type {Map<number, SpokenPhrase[]>} */
  const standing = new Map();
  /** @type {Map<number, number>} */
  const held = new Map(); // how many cards each seat has
  const undone = undoneLines(lines);
  lines.forEach(({ events }, line) => {
    if (undone.has(line)) return;
    for (const { key, values } of events) {
      const seat = Number(values.seat);
      const cards = held.get(seat) ?? 0;
      if (key === "dealt") held.set(seat, cards + Number(values.number));
      if (key === "said") standing.set(seat, afterPhrase(standing.get(seat) ?? [], String(values.phrase), line, cards));
      if (key === "laid") {
        held.set(seat, cards - 1);
        const card = String(values.card);
        for (const [speaker, said] of standing) {
          const still = speaker === seat ? afterOwnCard(said, card, String(values.on)) : said;
          const turned = values.top === null || String(values.top)[0] !== card[0];
          standing.set(
            speaker,
            still.filter(({ phrase }) => !(turned && phrase === `turn ${values.on}`)),
          );
        }
        if (cards === 1) standing.delete(seat);
      }
    }
  });
  return standing;
}

/**
 * Return the lines of cards that were taken back.
 * @param {Line[]} lines
 */
function undoneLines(lines) {
  /** @type {Set<number>} */
  const undone = new Set();
  lines.forEach(({ seat, events }, line) => {
    if (!events.some(({ key }) => key === "undone")) return;
    const last = lines.findLastIndex(
      (one, at) => at < line && one.seat === seat && !undone.has(at) && one.events.some(({ key }) => key === "laid"),
    );
    undone.add(last);
  });
  return undone;
}

/**
 * Return a speaker's phrases after another one. Fewer cards than descriptions: the older ones are taken back.
 * @param {SpokenPhrase[]} said
 * @param {string} phrase
 * @param {number} line
 * @param {number} cards how many the speaker has
 */
function afterPhrase(said, phrase, line, cards) {
  const [colour = "", word] = phrase.split(" ");
  const others = said.filter((one) => one.phrase !== phrase && !(word && one.phrase === colour));
  const next = { phrase, line };
  if (!isAboutCard(phrase)) return [...others, next];
  const exact = others.some((one) => one.phrase.startsWith(`${colour} `));
  if (!word && exact) return said; // it says less than what was said before
  const about = others.filter((one) => isAboutCard(one.phrase));
  // Of those that go, first the ones about the same colour, and of these the oldest.
  const sameFirst = [...about].sort(
    (one, two) => Number(two.phrase.startsWith(colour)) - Number(one.phrase.startsWith(colour)) || one.line - two.line,
  );
  const gone = sameFirst.slice(0, Math.max(0, about.length + 1 - Math.max(1, cards)));
  return [...others.filter((one) => !gone.includes(one)), next];
}

/**
 * Return a speaker's phrases after they have laid a card.
 * @param {SpokenPhrase[]} said
 * @param {string} card
 * @param {string} pile
 */
function afterOwnCard(said, card, pile) {
  const fitting = said.filter(({ phrase }) => isAboutCard(phrase) && describes(phrase, card));
  return said.filter((one) => one !== fitting[0] && one.phrase.split(" ")[1] !== pile);
}

/**
 * A phrase as a symbol and a word: a colour and how high, or a pile and a wish.
 * @param {{phrase: string, t: Translate, full?: boolean}} props `full`: with the numbers that a height means
 */
export function Phrase({ phrase, t, full = false }) {
  const [first = "", second = ""] = phrase.split(" ");
  if (!NAMES.includes(first)) {
    return html`<span class=${`sign arrow-sign ${second}`}><i class="arrow"></i></span>
      <span>${t(full ? "board_wish" : "board_wish_short", { wish: first }, GAME)}</span>`;
  }
  const height = heightOf(second);
  const sign = html`<span class=${`sign in-colour ${first}`}><${Symbol} colour=${first} /></span>`;
  if (!full && !height) return sign;
  return html`${sign}
    <span>
      ${t("board_band", { band: second || "any" }, GAME)}
      ${full && height && html`<small>${height[0]}–${height[1]}</small>`}
    </span>`;
}

/**
 * Return how much room bubbles need: two beside each other, or one in a line, where symbols alone share the first line.
 * @param {SpokenPhrase[]} said
 */
export function room(said) {
  const bare = said.filter(({ phrase }) => NAMES.includes(phrase)).length;
  return { rows: Math.ceil(said.length / 2), lines: said.length - bare + Math.min(1, bare) };
}

/**
 * What a player has said and what still holds: symbols alone first, then the others in the order of the talk.
 * @param {{said: SpokenPhrase[], seat: number, t: Translate}} props
 */
export function Bubbles({ said, seat, t }) {
  const bare = said.filter(({ phrase }) => NAMES.includes(phrase));
  return html`<span class="bubbles">
    ${[...bare, ...said.filter((one) => !bare.includes(one))].map(
      ({ phrase }) => html`<span key=${phrase} class=${`bubble${NAMES.includes(phrase) ? " bare" : ""}`}
        data-phrase=${phrase}>
        <span class="sr">${t("said", { seat, phrase }, GAME)}</span>
        <span class="phrase" aria-hidden="true"><${Phrase} phrase=${phrase} t=${t} /></span>
      </span>`,
    )}
  </span>`;
}
