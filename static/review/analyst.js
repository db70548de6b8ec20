// @ts-check
// Runs the engine over a tree: first the shown place, then the others one by one. Every place is searched afresh with the same node limit,
// so that the results are those of `mawe analyse`. On a slow device the time limit ends a search sooner, with fewer nodes.

import { wayTo } from "./tree.js";

/** @import { openEngine } from "../engine/engine.js" */
/** @import { Thought } from "../engine/types.js" */
/** @import { Place, Tree } from "./tree.js" */

/** The levels of thoroughness: nodes for each place, and a time limit. */
export const EFFORTS = /** @type {const} */ ({
  quick: { nodes: 20_000, movetime_ms: 2_000 },
  normal: { nodes: 200_000, movetime_ms: 4_000 },
  deep: { nodes: 2_000_000, movetime_ms: 20_000 },
});

/** @typedef {keyof typeof EFFORTS} Effort */
/** @typedef {{ thought: Thought, by: Effort | "server" | null }} Finding `by` is null while the search is incomplete */
/** @typedef {ReturnType<typeof createAnalyst>} Analyst */

/**
 * @typedef {Object} AnalystState
 * @property {Tree} tree
 * @property {ReturnType<typeof openEngine>} engine
 * @property {() => void} onChange
 * @property {WeakMap<Place, Finding>} findings
 * @property {Effort} effort
 * @property {boolean} isOn
 * @property {string | null} failure the code of the failure that stopped the engine
 * @property {{ place: Place, effort: Effort } | null} asked the current question; a new object for each
 * @property {boolean} isWorking
 * @property {Place[]} wanted the places to search after the shown one
 */

/**
 * @param {Tree} tree
 * @param {ReturnType<typeof openEngine>} engine
 * @param {() => void} onChange called with every new finding
 */
export function createAnalyst(tree, engine, onChange) {
  /** @type {AnalystState} */
  const state = {
    tree,
    engine,
    onChange,
    findings: new WeakMap(),
    effort: "normal",
    isOn: true,
    failure: null,
    asked: null,
    isWorking: false,
    wanted: [],
  };

  return {
    /** @param {Place} place @returns {Thought | undefined} */
    thoughtOf: (place) => state.findings.get(place)?.thought,
    /**
     * Takes in what the server has found. A deep search of this page is kept.
     * @param {Iterable<[Place, Thought]>} found
     */
    adopt(found) {
      for (const [place, thought] of found)
        if (state.findings.get(place)?.by !== "deep") state.findings.set(place, { thought, by: "server" });
      turn(state);
      onChange();
    },

    /** Whether the search of a place is complete. @param {Place} place */
    isDone: (place) => !isOpen(state, place),
    failure: () => state.failure,
    isOn: () => state.isOn,
    effort: () => state.effort,

    /**
     * Sets the places to search, in their order; called when the shown place or the tree has changed.
     * @param {Place[]} places all that are to be thought about, in order
     */
    look(places) {
      state.wanted = places;
      turn(state);
    },

    /** @param {Effort} next */
    setEffort(next) {
      state.effort = next;
      turn(state);
    },

    /** @param {boolean} on */
    setOn(on) {
      state.isOn = on;
      state.failure = null;
      turn(state);
    },

    stop() {
      state.isOn = false;
      state.asked = null;
      engine.stop();
    },
  };
}

/** @param {AnalystState} state @param {Place} place */
function isOpen({ findings, effort }, place) {
  const by = findings.get(place)?.by;
  // The server searches further than a thorough search of the page.
  return place.outcome === undefined && by !== effort && !(by === "server" && effort !== "deep");
}

/** @param {AnalystState} state */
const nextPlace = (state) => [state.tree.at, ...state.wanted].find((place) => isOpen(state, place)) ?? null;

/** The engine's question for a place: the game with its moves, for the rules on repetition. @param {Tree} tree @param {Place} place */
function question({ played: { game, setup, start } }, place) {
  const moves = wayTo(place)
    .map(({ move }) => move)
    .join(" ");
  return { game, ...(start === null ? { setup } : { position: start }), moves };
}

/** Searches the open places one by one. @param {AnalystState} state */
async function work(state) {
  if (state.isWorking) return;
  state.isWorking = true;
  for (let place = nextPlace(state); place && state.isOn && !state.failure; place = nextPlace(state)) await search(state, place);
  state.asked = null;
  state.isWorking = false;
  state.onChange();
}

/** @param {AnalystState} state @param {Place} place */
async function search(state, place) {
  const { tree, engine, findings, effort, onChange } = state;
  const mine = { place, effort };
  state.asked = mine;
  /** @param {Thought} thought @param {Effort | null} by */
  const keep = (thought, by) => {
    // A question that was stopped also returns its last report. And an incomplete result does not replace a complete one.
    if (state.asked !== mine || (by === null && findings.get(place)?.by)) return;
    findings.set(place, { thought, by });
    onChange();
  };
  try {
    const thought = await engine.think({ ...question(tree, place), ...EFFORTS[effort], fresh: true }, (report) => keep(report, null));
    if (thought) keep(thought, effort);
  } catch (error) {
    state.failure = error instanceof Error ? error.message : String(error);
  }
}

/** Stops the current search if another place or limit comes first now. @param {AnalystState} state */
function turn(state) {
  const { asked, isOn, effort, engine } = state;
  if (asked && (!isOn || asked.place !== nextPlace(state) || asked.effort !== effort)) {
    state.asked = null;
    engine.stop();
  }
  void work(state);
}
