// The only place where the client makes HTML or the address of a script from text; the content policy allows no other.

/** The service worker's address: the only script that is loaded by an address in a text. */
const WORKER = "/service-worker.js";

/**
 * The server makes the HTML of the rules pages from our own Markdown, with raw HTML turned off.
 * @type {{createHTML: (text: string) => any, createScriptURL: (address: string) => any}}
 */
const rules = {
  createHTML: (text) => text,
  createScriptURL: (address) => {
    if (address !== WORKER) throw new TypeError("not a script of ours");
    return address;
  },
};
const policy = /** @type {typeof rules} */ (
  /** @type {any} */ (window).trustedTypes?.createPolicy("gramy", rules) ?? rules
);

/** @param {string} text */
export const trustedHtml = (text) => policy.createHTML(text);

export const workerAddress = () => policy.createScriptURL(WORKER);
