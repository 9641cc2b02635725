// A module brings its own stylesheet, and waits for it: nothing is ever drawn before its look is there.

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads a stylesheet once, however many modules ask for it.
 * @param {string} file beside the module that asks, for instance "./cards.css"
 * @param {string} asker the module's `import.meta.url`
 * @returns {Promise<void>}
 */
export function styled(file, asker) {
  const href = new URL(file, asker).href;
  const found =
    loading.get(href) ??
    new Promise((ready) => {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      link.onload = link.onerror = () => ready(); // a board without its look is still better than no board
      document.head.append(link);
    });
  loading.set(href, found);
  return found;
}
