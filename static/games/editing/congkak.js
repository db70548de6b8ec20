// @ts-check
// Positions of Congkak: as of the other games with two rows, and with houses that are burnt in this round.

import { sowingEditing } from "./sowing.js";

/** @import { Editing, Game, Tool } from "../types.js" */

const BURNT = "burnt";

/** A burnt house holds no seeds. @param {string} kind of the seeds @returns {Tool} */
const burntTool = (kind) => ({
  name: BURNT,
  put(here, cell) {
    if (here === undefined || cell.endsWith("store")) return here;
    const { count: _, ...pile } = here;
    return here.kind === BURNT ? { ...pile, kind, count: 0 } : { ...pile, kind: BURNT };
  },
});

/** @param {Game} game @returns {Editing} */
export function congkakEditing(game) {
  const shared = sowingEditing(game);
  const kind = game.parse(game.start).pieces.get("s1")?.kind ?? "";
  return { ...shared, tools: [...shared.tools, burntTool(kind)] };
}
