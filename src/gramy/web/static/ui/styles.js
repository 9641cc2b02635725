// A module brings its own stylesheet, and waits for it: nothing is ever drawn before its look is there.

/**
 * Loads a stylesheet once, however many modules ask for it.
 * @param {string} file beside the module that asks, for instance "./card.css"
 * @param {string} asker the module's `import.meta.url`
 * @returns {Promise<void>}
 */
export function styled(file, asker) {
  const href = new URL(file, asker).href;
  const links = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[rel="stylesheet"]'));
  if ([...links].some((link) => link.href === href)) return Promise.resolve();
  return new Promise((ready) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = link.onerror = () => ready(); // a board without its look is still better than no board
    document.head.append(link);
  });
}
