// A module loads its own stylesheet and waits for it, so that nothing is drawn without its styles.

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Load a stylesheet; every stylesheet is loaded once.
 * @param {string} file relative to the module, for instance "./cards.css"
 * @param {string} base the module's `import.meta.url`
 * @returns {Promise<void>}
 */
export function loadStyles(file, base) {
  const href = new URL(file, base).href;
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
