// A module loads its own stylesheet and waits for it, so that nothing is drawn without its styles.

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Load stylesheets in this order; each is loaded once.
 * @param {string | string[]} files relative to the module, for instance "./cards.css"
 * @param {string} base the module's `import.meta.url`
 */
export const loadStyles = (files, base) => Promise.all([files].flat().map((file) => load(new URL(file, base).href)));

/**
 * @param {string} href
 * @returns {Promise<void>}
 */
function load(href) {
  const found =
    loading.get(href) ??
    new Promise((ready) => {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      link.onload = link.onerror = () => ready(); // a board without styles is better than no board
      document.head.append(link);
    });
  loading.set(href, found);
  return found;
}
