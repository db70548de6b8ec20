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
/** @typedef {{ thought: Thought, by: Effort | null }} Finding `by` is null while the search is incomplete */
/** @typedef {ReturnType<typeof createAnalyst>} Analyst */

/**
 * @param {Tree} tree
 * @param {ReturnType<typeof openEngine>} engine
 * @param {() => void} onChange called with every new finding
 */
export function createAnalyst(tree, engine, onChange) {
  /** @type {WeakMap<Place, Finding>} */
  const findings = new WeakMap();
  /** @type {Effort} */
  let effort = "normal";
  let isOn = true;
  /** The code of the failure that stopped the engine, or null. @type {string | null} */
  let failure = null;
  /** The current question; a new object for each. @type {{ place: Place, effort: Effort } | null} */
  let asked = null;
  let isWorking = false;
  /** @type {Place[]} */
  let wanted = [];

  const isOpen = (/** @type {Place} */ place) => place.outcome === undefined && findings.get(place)?.by !== effort;
  const nextPlace = () => [tree.at, ...wanted].find(isOpen) ?? null;

  /** The engine's question for a place: the game with its moves, for the rules on repetition. @param {Place} place */
  function question(place) {
    const { game, setup, start } = tree.played;
    return {
      game,
      ...(start === null ? { setup } : { position: start }),
      moves: wayTo(place)
        .map(({ move }) => move)
        .join(" "),
    };
  }

  async function work() {
    if (isWorking) return;
    isWorking = true;
    for (let place = nextPlace(); place && isOn && !failure; place = nextPlace()) {
      const mine = { place, effort };
      asked = mine;
      /** @param {Thought} thought @param {Effort | null} by */
      const keep = (thought, by) => {
        // A question that was stopped also returns its last report. And an incomplete result does not replace a complete one.
        if (asked !== mine || (by === null && findings.get(mine.place)?.by)) return;
        findings.set(mine.place, { thought, by });
        onChange();
      };
      try {
        const thought = await engine.think({ ...question(place), ...EFFORTS[effort], fresh: true }, (report) => keep(report, null));
        if (thought) keep(thought, mine.effort);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    }
    asked = null;
    isWorking = false;
    onChange();
  }

  /** Stops the current search if another place or limit comes first now. */
  function turn() {
    if (asked && (!isOn || asked.place !== nextPlace() || asked.effort !== effort)) {
      asked = null;
      engine.stop();
    }
    void work();
  }

  return {
    /** @param {Place} place @returns {Thought | undefined} */
    thoughtOf: (place) => findings.get(place)?.thought,
    /** Whether the search of a place is complete. @param {Place} place */
    isDone: (place) => !isOpen(place),
    failure: () => failure,
    isOn: () => isOn,
    effort: () => effort,

    /**
     * Sets the places to search, in their order; called when the shown place or the tree has changed.
     * @param {Place[]} places all that are to be thought about, in order
     */
    look(places) {
      wanted = places;
      turn();
    },

    /** @param {Effort} next */
    setEffort(next) {
      effort = next;
      turn();
    },

    /** @param {boolean} on */
    setOn(on) {
      isOn = on;
      failure = null;
      turn();
    },

    stop() {
      isOn = false;
      asked = null;
      engine.stop();
    },
  };
}
