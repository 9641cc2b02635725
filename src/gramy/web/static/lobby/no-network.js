// The lobby without a connection: what can still be done, and a return as soon as there is one.
import { html, useEffect } from "../vendor/preact.js";
import { request } from "../request.js";
import { t } from "../text.js";

/** Milliseconds between two attempts to reach the server. */
const TRY_INTERVAL = 4000;

/** @param {{games: GameListed[], found: (games: GameListed[]) => void}} props the games as they were last listed */
export function NoNetwork({ games, found }) {
  useEffect(() => {
    const attempt = () => void request("/api/games").then(found, () => {});
    const timer = setInterval(attempt, TRY_INTERVAL);
    addEventListener("online", attempt);
    return () => {
      clearInterval(timer);
      removeEventListener("online", attempt);
    };
  }, []);
  return html`<section class="panel no-network" aria-labelledby="no-network">
    <h1 id="no-network">${t("no_network")}</h1>
    <p>${t("no_network_about")}</p>
    ${games.length > 0 && html`<p class="quiet">${t("no_network_lessons")}</p>`}
    <ul class="no-network-lessons">
      ${games.map(
        ({ name }) => html`<li key=${name}>
          <a class="button wide" href=${`/learn/${name}`}>
            <img src=${`/static/pictures/${name}.svg`} width="72" height="40" alt="" />
            ${t("lesson_of", { title: t("title", {}, name).split(": ").at(-1) })}
          </a>
        </li>`,
      )}
    </ul>
  </section>`;
}
