// @ts-check
// The analysis of a match by the server: an account requests it, and everybody reads it. No DOM.

import { problemOf } from "../net/api.js";

/** @import { MatchAnalysis } from "../core/types.js" */
/** @import { Thought } from "../engine/types.js" */
/** @import { Place } from "../review/tree.js" */

/** While the server is at it, the page asks again after this time. */
const ASK_EVERY_MS = 3_000;

/**
 * `unknown` until the server has answered; `none` if nobody has requested one.
 * @typedef {"unknown" | "none" | MatchAnalysis["state"]} SharedState
 */

/**
 * @param {string} id of a match that is over
 * @param {Object} server
 * @param {(id: string) => Promise<MatchAnalysis>} server.get
 * @param {(id: string) => Promise<MatchAnalysis>} server.post
 * @param {() => boolean} server.isHidden whether nobody sees the page: then it asks for nothing
 * @param {() => void} onChange
 */
export function sharedAnalysis(id, server, onChange) {
  /** @type {MatchAnalysis | null} */
  let analysis = null;
  /** @type {SharedState} */
  let state = "unknown";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let gone = false;

  /** @param {SharedState} next @param {MatchAnalysis | null} found */
  function take(next, found) {
    if (gone) return;
    [state, analysis] = [next, found];
    clearTimeout(timer);
    if (state === "waiting") timer = setTimeout(() => (server.isHidden() ? take(state, analysis) : look()), ASK_EVERY_MS);
    onChange();
  }

  /** Asks the server. Without an answer, what is known stays, and a wait goes on. */
  async function look() {
    try {
      const found = await server.get(id);
      take(found.state, found);
    } catch (error) {
      if (problemOf(error).status === 404) take("none", null);
      else take(state, analysis);
    }
  }

  return {
    state: () => state,
    analysis: () => analysis,
    look,
    /** Requests it. Rejected with the problem if the server refuses. */
    async request() {
      const found = await server.post(id);
      take(found.state, found);
    },
    stop() {
      gone = true;
      clearTimeout(timer);
    },
  };
}

/**
 * What the server has found on the line of the match.
 * @param {Place[]} line the start first
 * @param {MatchAnalysis | null} analysis
 * @returns {[Place, Thought][]}
 */
export const foundOn = (line, analysis) =>
  (analysis?.positions ?? []).flatMap(({ ply, best, score, proven, depth, nodes, pv }) => {
    const place = line[ply];
    return place ? [[place, { best, score, proven, depth, nodes, pv }]] : [];
  });
