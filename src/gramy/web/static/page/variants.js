// The variants that a table plays, and its clock, in words.
import { t } from "../text.js";

/**
 * Return the variants in force and the clock: the name of each, and a sentence about it.
 * @param {Table} table
 * @returns {{name: string, about: string}[]}
 */
export function inForce({ variants = [], options, clock }) {
  const shown = variants.map((option) => ({
    name: variantName(option, options[option] ?? ""),
    about: t("variant_about", { option }),
  }));
  return clock ? [...shown, { name: clockName(clock), about: t("clock_about") }] : shown;
}

/**
 * Return all settings of a table in words: the players, the variants and the clock, or that there are none.
 * @param {Table} table
 * @returns {string[]}
 */
export function settingsOf(table) {
  const special = inForce(table).map(({ name }) => name);
  return [
    t("players_exactly", { number: table.seats.length }),
    ...((table.variants ?? []).length ? [] : [t("basic_rules")]),
    ...special,
    ...(table.clock ? [] : [t("clock_off")]),
  ];
}

/**
 * Return “Jokers” for a variant that is on, otherwise “Bid order: quantity first”.
 * @param {string} option
 * @param {string} value
 */
const variantName = (option, value) =>
  value === "on" ? t("variant", { option }) : `${t("variant", { option })}: ${t("variant_value", { value })}`;

/** @param {Clock} clock */
const clockName = (clock) => `${t("clock")}: ${t("clock_value", { ...clock })}`;
