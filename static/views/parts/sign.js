// @ts-check
// The signs on buttons: symbols of one file, which is fetched once. They have the colour of the text beside them.

import { svg } from "../../core/dom.js";

const { href } = new URL("../../icons/signs.svg", import.meta.url);

/**
 * A sign beside a text that says the same, or on a button with a name.
 * @param {string | (() => string)} name the id of a symbol in `icons/signs.svg`
 */
export const sign = (name) =>
  svg(
    "svg",
    { class: "sign", "aria-hidden": "true" },
    svg("use", { href: typeof name === "string" ? `${href}#${name}` : () => `${href}#${name()}` }),
  );
