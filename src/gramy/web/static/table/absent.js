// A player has been away for long and the others decide together. This does not cover the board, since play may go on.
import { html } from "../vendor/preact.js";
import { Icon } from "../page/icon.js";
import { t } from "../text.js";
import { useSeconds } from "./seats.js";

const CHOICES = /** @type {const} */ ({ bot: "bot_takes_over", wait: "wait_longer", end: "end_match" });

/** @param {{snapshot: Snapshot, names: string[], decide: (seat: number, choice: Choice | null) => void}} props */
export function AbsentDialog({ snapshot, names, decide }) {
  const { you } = snapshot;
  const absent = snapshot.absent.find((one) => one.can_decide);
  const soon = snapshot.absent.find((one) => !one.can_decide);
  if (you === null || snapshot.table.status !== "playing") return null;
  if (!absent) return soon ? html`<${Countdown} snapshot=${snapshot} soon=${soon} name=${names[soon.seat]} />` : null;
  const together = absent.voters.length > 1;
  const mine = absent.votes[you];
  const choices = /** @type {Choice[]} */ (Object.keys(CHOICES));
  return html`<section class="absent panel" role="alertdialog" aria-labelledby="absent"
    aria-describedby="absent-about">
    <h2 id="absent">${t("away_title", { name: names[absent.seat] })}</h2>
    <p id="absent-about" class="quiet">
      ${together ? t(mine ? "vote_again" : "vote_about") : t("away_about")}
    </p>
    <div class="tally" role="status">
      ${choices
        .map((choice) => ({ choice, number: Object.values(absent.votes).filter((vote) => vote === choice).length }))
        .filter(({ number }) => number)
        .map(
          ({ choice, number }) => html`<span key=${choice} class="chip">
            ${t("vote_tally", { choice: t(CHOICES[choice]), number, voters: absent.voters.length })}
          </span>`,
        )}
    </div>
    <div class="absent-doors">
      ${choices.map(
        (choice) => html`<button key=${choice} type="button"
          class=${`button${(together ? mine : "bot") === choice ? " primary" : ""}`}
          aria-pressed=${together ? String(mine === choice) : undefined}
          onClick=${() => decide(absent.seat, together && mine === choice ? null : choice)}>
          ${mine === choice && html`<${Icon} name="check" />`} ${t(CHOICES[choice])}
        </button>`,
      )}
    </div>
  </section>`;
}

/**
 * A player is away, and the others cannot decide yet: how long until they can. The seconds are not said aloud.
 * @param {{snapshot: Snapshot, soon: Absent, name: string}} props
 */
function Countdown({ snapshot, soon, name }) {
  const passed = useSeconds(snapshot, true);
  const seconds = Math.max(0, Math.ceil(soon.seconds - passed));
  return html`<div class="absent soon panel">
    <p aria-hidden="true">${t("away_soon", { name, seconds })}</p>
    <p class="sr" role="status">${t("away_soon_said", { name })}</p>
  </div>`;
}
