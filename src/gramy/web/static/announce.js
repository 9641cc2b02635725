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

/** Delete what was said last, and what waits: it may have a deleted name, or cards of whom the device has left. */
export function clearAnnouncements() {
  queue = [];
  if (region) region.textContent = "";
}

function flush() {
  if (!region || !queue.length) return;
  const text = queue.join(" ");
  queue = [];
  // Screen readers ignore a region whose text does not change, so the same sentence again gets a trailing space.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
