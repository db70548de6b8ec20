// @ts-check
// Positions of games with two rows in which houses are left out of a round: the burnt houses of Congkak, the rubbish holes of Pallanguzhi.

import { sowingEditing } from "./sowing.js";

/** @import { Editing, Game, Tool } from "../types.js" */

/** The kind of a house that is left out, in each of these games. */
const LEFT_OUT = "burnt";

/** A house that is left out holds no seeds. @param {string} name @param {string} kind of the seeds @returns {Tool} */
const leftOutTool = (name, kind) => ({
  name,
  put(here, cell) {
    if (here === undefined || cell.endsWith("store")) return here;
    const { count: _, ...pile } = here;
    return here.kind === LEFT_OUT ? { ...pile, kind, count: 0 } : { ...pile, kind: LEFT_OUT };
  },
});

/** @param {string} name of the tool @returns {(game: Game) => Editing} */
const leftOutEditing = (name) => (game) => {
  const shared = sowingEditing(game);
  const kind = game.parse(game.start).pieces.get("s1")?.kind ?? "";
  return { ...shared, tools: [...shared.tools, leftOutTool(name, kind)] };
};

export const congkakEditing = leftOutEditing("burnt");

export const pallanguzhiEditing = leftOutEditing("rubbish");
