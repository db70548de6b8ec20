// @ts-check
// Clocks that are halved before the first move, and the right to do that. Apart from `rights.js`, which every first visit fetches: few
// matches have this.

/** @import { Side } from "../core/types.js" */
/** @import { MatchState } from "./match.js" */

/** Whether a side has halved its clock. @param {Pick<MatchState, "view">} match @param {Side} side */
export const hasHalved = ({ view }, side) => view.berserk?.includes(side) ?? false;

/** Whether the player can halve the own clock: before the own first move. @param {MatchState} match */
export const canBerserk = ({ view, you }) =>
  you !== null &&
  view.result === null &&
  view.options.berserk &&
  view.time_control.kind === "realtime" &&
  !hasHalved({ view }, you) &&
  !view.plies.some(({ side }) => side === you);
