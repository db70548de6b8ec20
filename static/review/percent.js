// @ts-check
// A part as a percentage, for the reader.

import { number } from "../core/i18n.js";

/** @param {number} part */
export const percent = (part) => number(part, { style: "percent", maximumFractionDigits: 0 });
