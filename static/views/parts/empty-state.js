// @ts-check
// A list without entries: a picture, and what to do.

import { h, svg } from "../../core/dom.js";

/** The outlines of the pictures, in a box of 48 by 48. */
const PICTURES = {
  // Two chairs at a board.
  offers: "M10 14v22M10 26h8v10M38 14v22M38 26h-8v10M20 24h8v4h-8z",
  // An eye.
  watch: "M5 24q19-24 38 0q-19 24-38 0zM24 17a7 7 0 1 1 0 14a7 7 0 1 1 0-14z",
  // A cup.
  results: "M15 8h18v12a9 9 0 0 1-18 0zM15 12H8q0 10 8 11M33 12h7q0 10-8 11M24 29v7M16 40h16",
  // Three steps.
  leaderboard: "M6 40V28h12v12M18 40V16h12v24M30 40V22h12v18M4 40h40",
};

/** @param {keyof typeof PICTURES} picture @param {() => string} text */
export const emptyState = (picture, text) =>
  h(
    "div",
    { class: "empty-state" },
    svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, svg("path", { d: PICTURES[picture] })),
    h("p", { class: "quiet" }, text),
  );
