// @ts-check
// Made by `MAWE_SCALES=write cargo test -p mawe-ai --test verdict`: the numbers that give scores their meaning.

/** The score, in hundredths of the game's unit, with which a side gets 73 % of the points. @type {Record<string, number>} */
export const SCALES = {
  mawe: 68,
  reversi: 2045,
  checkers: 706,
  drafti: 609,
  brazilian: 495,
  russian: 665,
  international: 480,
  pool: 574,
  kalah: 574,
  oware: 749,
  congkak: 453,
  bao: 3093,
  pallanguzhi: 61,
};

/** The loss, as a part of a point, from which a move has a name, the heaviest first. */
export const MISTAKES = /** @type {const} */ ([
  ["blunder", 0.15],
  ["mistake", 0.1],
  ["inaccuracy", 0.05],
]);

/** The score of a win now; one in n plies scores n less. */
export const WIN = 10000000;

/** The least score of a win. */
export const WIN_BOUND = 9990000;

/** The accuracy of a move falls with its loss by this curve. */
export const ACCURACY = { factor: 1.0317, exponent: 4.354, shift: 0.0317 };
