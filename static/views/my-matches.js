// @ts-check
// The reader's running matches, first those in which it is their turn; the badge follows them.

import { badge } from "../core/badge.js";
import { getMyMatches } from "../net/api.js";
import { onOneDevice } from "../net/rights.js";

/** @import { MatchSummary } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** @typedef {{ match: MatchSummary, turn: "yours" | "theirs" | "device" }} MyMatch */

/** @param {{ session: Pick<Context["session"], "player"> }} ctx @returns {Promise<MyMatch[]>} */
export async function myMatches({ session }) {
  const me = session.player();
  if (!me) {
    badge.set([]);
    return [];
  }
  const { items } = await getMyMatches();
  const rows = items.map((match) => {
    const isMine = match.seats[match.turn ?? "first"].player.name === me.name;
    /** @type {MyMatch["turn"]} */
    const turn = onOneDevice(match) ? "device" : isMine ? "yours" : "theirs";
    return { match, turn };
  });
  badge.set(rows.filter(({ turn }) => turn === "yours").map(({ match }) => match.id));
  return rows.sort((a, b) => Number(b.turn === "yours") - Number(a.turn === "yours"));
}
