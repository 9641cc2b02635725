// Parts of a page that are not there at first: they are loaded when they are needed.
import { html, useEffect, useState } from "../vendor/preact.js";

/**
 * @param {() => Promise<any>} load a module
 * @param {string} name of the component in it
 * @returns {(props: any) => any} the component, which shows nothing until it is there
 */
export function later(load, name) {
  /** @type {any} */
  let part = null;
  return function Later(props) {
    const [, renderAgain] = useState(false);
    useEffect(() => {
      if (part) return;
      void load().then((module) => {
        part = module[name];
        renderAgain(true);
      });
    }, []);
    return part && html`<${part} ...${props} />`;
  };
}
