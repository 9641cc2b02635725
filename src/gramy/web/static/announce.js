// One polite live region for everything that a screen reader should hear and nobody needs to see.

const region = document.getElementById("announcements");
/** @type {string[]} */
let waiting = [];

/** Sentences of the same moment are read as one. @param {string} sentence */
export function announce(sentence) {
  if (!sentence || !region) return;
  if (!waiting.length) setTimeout(speakUp, 120);
  waiting.push(sentence);
}

function speakUp() {
  if (!region) return;
  const sentence = waiting.join(" ");
  waiting = [];
  // The same sentence twice is news twice, but a region whose text does not change stays silent.
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
