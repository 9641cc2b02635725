// How a player is shown everywhere: in the list of seats, on the board, in the log and in the analysis.
import { html } from "../vendor/preact.js";
import { t } from "../text.js";

/**
 * Return the class that colours what belongs to a seat. The viewer's own is gold, as their cards are; the others follow
 * clockwise.
 * @param {number} seat
 * @param {number | null} near the seat at the bottom of the table; null for a spectator, who sees the first one there
 * @param {number} players
 */
export const seatColour = (seat, near, players) =>
  seat < players ? `seat-${(seat - (near ?? 0) + players) % players}` : "";

/**
 * A player's name; the viewer's own has a mark, because the log and the others use the name.
 * @param {{name: string, you: boolean}} props
 */
export function PlayerName({ name, you }) {
  const marked = you && name !== t("seat_you"); // in a lesson the player may have no other name
  return html`<b class="name">${name}${marked && html`${" "}<small class="you-mark">${t("you")}</small>`}</b>`;
}
