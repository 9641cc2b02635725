// Components that are loaded when they are first shown.
import { html, useEffect, useState } from "../vendor/preact.js";

/**
 * @param {() => Promise<any>} load the module
 * @param {string} name of the component in it
 * @returns {(props: any) => any} a component that shows nothing until it is loaded
 */
export function lazy(load, name) {
  /** @type {any} */
  let component = null;
  return function Lazy(props) {
    const [, renderAgain] = useState(false);
    useEffect(() => {
      if (component) return;
      void load().then((module) => {
        component = module[name];
        renderAgain(true);
      });
    }, []);
    return component && html`<${component} ...${props} />`;
  };
}
