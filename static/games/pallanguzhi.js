// @ts-check
// Pallanguzhi: a pit that reaches four seeds is won at once; a hand that is empty goes on with the next pit, and wins the pit behind an
// empty one.

import { t } from "../core/i18n.js";
import { lastRound, matchRounds } from "./rounds.js";
import { inSetup } from "./setup.js";
import { aRowIsEmpty, seedsIn, sow, sowingGame, sweep, take } from "./sowing.js";

/** @import { Game, GameMaker } from "./types.js" */
/** @import { Hand } from "./sowing.js" */

/** The seeds of a full pit. */
const FULL = 6;

/** The seeds of a pasu. */
const PASU = 4;

/** The rules allow no longer sowing. */
const MOST_SOWN = 1000;

/** The pits of the circle after a lane, without rubbish holes; the lane itself comes last. @param {Hand} hand @param {number} lane */
function after({ lanes, own, theirs }, lane) {
  const circle = [...own, ...theirs];
  const at = circle.indexOf(lane) + 1;
  return [...circle.slice(at), ...circle.slice(0, at)].filter((one) => lanes[one] !== null);
}

/** The pit that is sown after the last seed has fallen into a lane; null if the ply ends. @param {Hand} hand @param {number} last */
function next(hand, last) {
  const [first = last, second = last] = after(hand, last);
  if (seedsIn(hand, first) > 0) return first;
  if (seedsIn(hand, second) === 0) return null;
  take(hand, [second]);
  return after(hand, second).find((lane) => seedsIn(hand, lane) > 0) ?? null;
}

/** @param {Hand} hand @param {number} lane */
function play(hand, lane) {
  /** @type {number | null} */
  let from = lane;
  let left = MOST_SOWN;
  while (from !== null && seedsIn(hand, from) <= left) {
    left -= seedsIn(hand, from);
    const last = sow(
      hand,
      from,
      (skipped) => skipped === hand.store,
      (sown, held) => {
        if (seedsIn(hand, sown) === PASU) take(hand, [sown], held);
      },
    );
    from = next(hand, last);
  }
  if (aRowIsEmpty(hand)) sweep(hand);
}

/**
 * The rounds of a pair: the seeds won in the first are known after its last ply only, when the board is the start of the second.
 * @param {Pick<Game, "parse" | "preview">} game
 * @returns {NonNullable<Game["round"]>}
 */
const pairRounds =
  ({ parse, preview }) =>
  (setup, positions, moves) => {
    const { number, ply } = lastRound(FULL, setup, positions);
    const before = positions[ply - 1];
    const [first = 0, second = 0] = inSetup(setup, "owned")?.split("-").map(Number) ?? [];
    if (before === undefined) return { number, of: 2, owned: { first, second }, ply, adds: true };
    const { pieces, turn } = parse(before);
    const owned = { first: 0, second: 0 };
    for (const { owner, count = 0 } of preview(pieces, moves[ply - 1] ?? "", turn).values()) owned[owner] += count;
    return { number, of: 2, owned, ply, adds: true };
  };

/** @type {GameMaker} */
export const pallanguzhi = (entry) => {
  const game = sowingGame(entry, {
    start: "6,6,6,6,6,6,6,0/6,6,6,6,6,6,6,0 s",
    picture: "1,0,3,7,2,0,9,22/5,1,0,8,2,3,0,21 s",
    recorded: "6 4 4 5 4 6 2 7 1 2 2 3 3 4 4 5 5 6 6 7",
    houses: 7,
    clockwise: false,
    ground: "plank kuzhi",
    seeds: "manjadi",
    pace: 110,
    words: {
      house: (whose, n) => t(`pallanguzhi.pit.${whose}`, { pit: n }),
      seeds: (n) => t("pallanguzhi.manjadi", { n }),
      burnt: () => t("pallanguzhi.rubbish"),
      move: (n) => t("pallanguzhi.move", { pit: n }),
    },
    play,
  });
  const [rounds, pair] = [matchRounds(FULL), pairRounds(game)];
  return { ...game, round: (setup, ...match) => (inSetup(setup, "form") === "pair" ? pair : rounds)(setup, ...match) };
};
