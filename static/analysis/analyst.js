// @ts-check
// The engine at work over a tree: first the place that is looked at, then the others one by one. Every place is thought about afresh, within
// the same number of positions: so it finds what `mawe analyse` finds. On a slow device the time ends it sooner, and it has seen less.

import { wayTo } from "./tree.js";

/** @import { Thought, openEngine } from "../engine/engine.js" */
/** @import { Place, Tree } from "./tree.js" */

/** How thorough it can be asked to be: so many positions a place, and no longer than that. */
export const EFFORTS = /** @type {const} */ ({
  quick: { nodes: 20_000, movetime_ms: 2_000 },
  normal: { nodes: 200_000, movetime_ms: 4_000 },
  deep: { nodes: 2_000_000, movetime_ms: 20_000 },
});

/** @typedef {keyof typeof EFFORTS} Effort */
/** @typedef {{ thought: Thought, by: Effort | null }} Finding `by` is null while it is not whole */
/** @typedef {ReturnType<typeof createAnalyst>} Analyst */

/**
 * @param {Tree} tree
 * @param {ReturnType<typeof openEngine>} engine
 * @param {() => void} onChange something new is known
 */
export function createAnalyst(tree, engine, onChange) {
  /** @type {WeakMap<Place, Finding>} */
  const findings = new WeakMap();
  /** @type {Effort} */
  let effort = "normal";
  let isOn = true;
  /** Why it does not work, as a code; null while it does. @type {string | null} */
  let failure = null;
  /** What it is asked just now; another object for each question. @type {{ place: Place, effort: Effort } | null} */
  let asked = null;
  let isWorking = false;
  /** @type {Place[]} */
  let wanted = [];

  const isOpen = (/** @type {Place} */ place) => place.outcome === undefined && findings.get(place)?.by !== effort;
  const nextPlace = () => [tree.at, ...wanted].find(isOpen) ?? null;

  /** What it is asked: the game as it was played, so that it knows what has occurred before. @param {Place} place */
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
        // Told to stop, it gives what it had. And what is not whole is worth less than what another search has ended with.
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

  /** Leaves what it does, where that is not what is wanted first. */
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
    /** Whether a place is done. @param {Place} place */
    isDone: (place) => !isOpen(place),
    failure: () => failure,
    isOn: () => isOn,
    effort: () => effort,

    /** Another place is looked at, or there are others. @param {Place[]} places all that are to be thought about, in order */
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
