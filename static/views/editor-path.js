// @ts-check
// The address of the editor with a position.

/** @import { Game } from "../games/types.js" */

/** A position in an address, as far as that can be read by people: its signs are allowed in a query. @param {string} position */
const inQuery = (position) =>
  encodeURIComponent(position)
    .replaceAll("%20", "+")
    .replace(/%(2F|2C|3A)/g, decodeURIComponent);

/** Without a position that of the start. @param {Pick<Game, "id" | "start">} game @param {string | null} position */
export const editorPath = ({ id, start }, position) =>
  `/editor/${id}${position === null || position === start ? "" : `?position=${inQuery(position)}`}`;
