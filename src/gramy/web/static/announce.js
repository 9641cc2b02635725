// One polite live region for everything that only a screen reader should say.

const region = document.getElementById("announcements");
const DELAY = 120;
/** @type {string[]} */
let queue = [];

/**
 * Have a screen reader say a sentence. Sentences of the same moment are joined.
 * @param {string} sentence
 */
export function announce(sentence) {
  if (!sentence || !region) return;
  if (!queue.length) setTimeout(flush, DELAY);
  queue.push(sentence);
}

/** Delete what was said last: it may have a name that a player has just had deleted. */
export function clearAnnouncements() {
  if (region) region.textContent = "";
}

function flush() {
  if (!region) return;
  const text = queue.join(" ");
  queue = [];
  // Screen readers ignore a region whose text does not change, so the same sentence again gets a trailing space.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
