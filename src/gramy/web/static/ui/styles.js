// A module loads its own stylesheet and waits for it, so that nothing is drawn without its styles.

/** @type {Map<string, Promise<boolean>>} */
const loading = new Map();

/**
 * The stylesheets that the server has joined for the first page, each with the address of the joined file.
 * @type {Map<string, string>}
 */
const joined = new Map();
/** @type {NodeListOf<HTMLLinkElement>} */
const joinedLinks = document.querySelectorAll("link[data-joined]");
for (const { dataset, href } of joinedLinks)
  for (const file of dataset.joined?.split(" ") ?? []) joined.set(new URL(`/static/${file}`, href).href, href);

/**
 * Load stylesheets in this order; each is loaded once.
 * @param {string | string[]} files relative to the module, for instance "./cards.css"
 * @param {string} base the module's `import.meta.url`
 */
export const loadStyles = (files, base) => Promise.all([files].flat().map((file) => load(new URL(file, base).href)));

/**
 * Load a stylesheet, or the one that it was joined into. If that fails, load the stylesheet itself.
 * @param {string} href
 */
async function load(href) {
  const whole = joined.get(href);
  return (whole && (await append(whole))) || append(href);
}

/**
 * Return whether a stylesheet could be loaded: a board without styles is better than no board.
 * @param {string} href
 * @returns {Promise<boolean>}
 */
function append(href) {
  const found =
    loading.get(href) ??
    new Promise((ready) => {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      link.onload = () => ready(true);
      link.onerror = () => ready(false);
      document.head.append(link);
    });
  loading.set(href, found);
  return found;
}
