// @ts-check
// The sowing of Bao, seed by seed: every state of a ply for the board, and its events for the words about it. It follows RULES-bao.md, as
// `rules/src/games/bao/ply.rs` does; `tests/bao.test.js` compares them. It judges nothing: the move must be legal.
//
// The pits of a side are numbered clockwise from its left kichwa: A1 to A8 are 0 to 7, B8 to B1 are 8 to 15.

const PITS = 16;
const ROW = 8;
/** The number of the house, A5. */
export const HOUSE = 4;
/** The seeds that give a house its powers. */
const STRONG = 6;
/** The seeds that are sown from a house that is taxed. */
const TAX = 2;
/** The most seeds in a ply: no legal move has more, so that a wrong move cannot go on for ever. */
const MOST = 512;

/**
 * What one side has.
 * @typedef {Object} Half
 * @property {number[]} pits
 * @property {number} store
 * @property {boolean} house whether the house is owned
 * @property {number | null} takasia the pit with that mark
 */

/** @typedef {{ mine: Half, theirs: Half }} Board from the mover's view */

/** @typedef {"mine" | "theirs"} Whose */

/**
 * A state of a ply: the board, and the seeds in the hand above a pit, or above a store (null).
 * @typedef {{ board: Board, hand: { whose: Whose, pit: number | null, seeds: number, lifted: boolean } | null }} Shown
 */

/**
 * An event of a ply, for the words about it. Pits are the mover's unless the opponent is named.
 * - `begin`: the stage and the kind of the ply; `pit`: where it opens
 * - `sow`: seeds of a pit are sown; `first` for the first of the ply, `tax` where the house is taxed
 * - `capture`: seeds are captured at a pit, and sown from a kichwa
 * - `safari`: the house is played
 * - `lose`: a house is lost
 * - `end`: why the sowing ended, and where
 * - `takasia`: a pit of the opponent is marked
 * @typedef {{ kind: "begin", namua: boolean, captures: boolean, pit: number }
 *   | { kind: "sow", pit: number, seeds: number, last: number, first: boolean, tax: boolean }
 *   | { kind: "capture", pit: number, seeds: number, kichwa: number, last: number }
 *   | { kind: "safari" } | { kind: "lose", whose: Whose } | { kind: "takasia", pit: number }
 *   | { kind: "end", pit: number, why: "empty" | "house" | "takasia" | "front" }} Event
 */

/** @typedef {{ pit: number, letter: string, plays: boolean }} Move `letter`: `L`, `R`, or empty */

/**
 * A ply that is being sown.
 * @typedef {Object} Ply
 * @property {Board} board
 * @property {boolean} namua
 * @property {boolean} captures
 * @property {boolean} plays
 * @property {1 | -1} direction clockwise or not
 * @property {number} sown
 * @property {Shown[]} shown
 * @property {Event[]} events
 * @property {number[]} taken the opponent's pits that were captured
 */

/** @typedef {{ from: number | null, seeds: number, first: number }} Lap seeds in the hand; `from` is null for captured ones */

/** @param {number} pit */
export const pitName = (pit) => (pit < ROW ? `A${pit + 1}` : `B${2 * ROW - pit}`);

/** @param {string} name */
export const pitOf = (name) => (name.startsWith("A") ? Number(name.slice(1)) - 1 : 2 * ROW - Number(name.slice(1)));

/** @param {number} pit */
const isFront = (pit) => pit < ROW;

/** The opponent's pit that a front pit faces. @param {number} pit */
const facing = (pit) => ROW - 1 - pit;

/** The kichwa where a capture at a kimbi is sown, or null where there is a choice. @param {number} pit */
const forcedKichwa = (pit) => (pit <= 1 ? 0 : pit === ROW - 2 || pit === ROW - 1 ? ROW - 1 : null);

/** @param {string} letter */
const kichwaOf = (letter) => (letter === "L" ? 0 : ROW - 1);

/** @param {number} pit @param {number} steps */
const after = (pit, steps) => (((pit + steps) % PITS) + PITS) % PITS;

/** The direction round the ring in which a letter leads from a pit. @param {number} pit @param {string} letter @returns {1 | -1} */
const directionOf = (pit, letter) => ((letter === "R") === isFront(pit) ? 1 : -1);

/** The neighbour of a pit in the direction of a letter. @param {number} pit @param {string} letter */
const neighbour = (pit, letter) => after(pit, directionOf(pit, letter));

/** The seeds in a pit. @param {Half} half @param {number} pit */
const seedsIn = ({ pits }, pit) => pits[pit] ?? 0;

/** @param {Half} half @param {number} pit @param {number} seeds */
function put(half, pit, seeds) {
  half.pits[pit] = seedsIn(half, pit) + seeds;
}

/** @param {Half} half */
const isFrontEmpty = ({ pits }) => pits.slice(0, ROW).every((seeds) => seeds === 0);

/** @param {Half} half */
const hasStrongHouse = (half) => half.house && seedsIn(half, HOUSE) >= STRONG;

/** Whether a seed in a front pit captures what faces it. @param {Board} board @param {number} pit */
const capturesAt = ({ mine, theirs }, pit) => isFront(pit) && seedsIn(mine, pit) > 0 && seedsIn(theirs, facing(pit)) > 0;

/** The front pit where the first sowing from a pit captures in the mtaji stage, or null. @param {Board} board @param {number} pit @param {string} letter */
function reaches(board, pit, letter) {
  const seeds = seedsIn(board.mine, pit);
  if (seeds < 2 || seeds >= PITS) return null;
  const last = after(pit, seeds * directionOf(pit, letter));
  return capturesAt(board, last) ? last : null;
}

/** The pit where the opening of a move captures; null for a takata. @param {Board} board @param {Move} move */
export function openingCapture(board, { pit, letter }) {
  if (board.mine.store > 0) return capturesAt(board, pit) ? pit : null;
  return letter === "" ? null : reaches(board, pit, letter);
}

/** @param {string} text @returns {Move | null} */
export function readMove(text) {
  const [, name = "", letter = "", house = ""] = /^([AB][1-8])([LR]?)(>?)$/.exec(text) ?? [];
  return name === "" ? null : { pit: pitOf(name), letter, plays: house !== "" };
}

/** Whether a capture of the namua stage opens here without a choice of the kichwa. @param {number} pit */
export const isKimbi = (pit) => forcedKichwa(pit) !== null;

/** The cell of the ring where the first seed of a move's first sowing falls. @param {Board} board @param {Move} move */
export function firstPit(board, { pit, letter }) {
  const isCapture = board.mine.store > 0 && capturesAt(board, pit);
  // Without a letter a move is a capture, also where the pieces are not known.
  if (isCapture || letter === "") return forcedKichwa(pit) ?? kichwaOf(letter);
  return neighbour(pit, letter);
}

/** @param {Half} half @returns {Half} */
const copied = (half) => ({ ...half, pits: [...half.pits] });

/** @param {Board} board @returns {Board} */
const copy = ({ mine, theirs }) => ({ mine: copied(mine), theirs: copied(theirs) });

/** @param {Ply} ply @param {Shown["hand"]} hand */
const show = ({ shown, board }, hand) => void shown.push({ board: copy(board), hand });

/**
 * Plays a legal move.
 * @param {Board} before
 * @param {Move} move
 * @returns {Pick<Ply, "board" | "shown" | "events" | "taken"> & { end: number | null }} `end`: the pit of the last seed
 */
export function playPly(before, move) {
  const board = copy(before);
  const namua = board.mine.store > 0;
  const captures = openingCapture(board, move) !== null;
  const direction = namua && captures ? (move.letter === "R" ? -1 : 1) : directionOf(move.pit, move.letter);
  /** @type {Ply} */
  const ply = { board, namua, captures, plays: move.plays, direction, sown: 0, shown: [], events: [], taken: [] };
  ply.events.push({ kind: "begin", namua, captures, pit: move.pit });
  const end = carryOn(ply, open(ply, move.pit));
  if (!namua && captures) loseBoth(ply);
  board.mine.takasia = null;
  if (!captures && board.mine.store === 0 && board.theirs.store === 0) markTakasia(ply);
  show(ply, null);
  return { board, shown: ply.shown, events: ply.events, taken: ply.taken, end };
}

/** Brings in the seed of the namua stage, and takes the first seeds in the hand. @param {Ply} ply @param {number} pit @returns {Lap} */
function open(ply, pit) {
  const { mine } = ply.board;
  if (!ply.namua) return lift(ply, pit);
  const isTaxed = !ply.captures && pit === HOUSE && hasStrongHouse(mine);
  mine.store -= 1;
  show(ply, { whose: "mine", pit: null, seeds: 1, lifted: true });
  put(mine, pit, 1);
  show(ply, null);
  if (ply.captures) return capture(ply, pit);
  return isTaxed ? lift(ply, pit, TAX) : lift(ply, pit);
}

/** Sows lap after lap until the ply ends. @param {Ply} ply @param {Lap} lap @returns {number | null} the pit of the last seed */
function carryOn(ply, lap) {
  let inHand = lap;
  while (ply.sown <= MOST && inHand.seeds > 0) {
    const last = sowLap(ply, inHand);
    const why = whyEnd(ply, last, inHand.from === null);
    if (why !== null) {
      ply.events.push({ kind: "end", pit: last, why });
      return last;
    }
    if (ply.captures && capturesAt(ply.board, last)) inHand = capture(ply, last);
    else {
      if (ply.captures && ply.namua && last === HOUSE && hasStrongHouse(ply.board.mine)) ply.events.push({ kind: "safari" });
      inHand = lift(ply, last);
    }
  }
  return null;
}

/** @param {Ply} ply @param {Lap} lap @returns {number} the pit of the last seed */
function sowLap(ply, { seeds, first }) {
  const { board, direction } = ply;
  let pit = first;
  for (let left = seeds - 1; left >= 0; left--) {
    put(board.mine, pit, 1);
    show(ply, left > 0 ? { whose: "mine", pit, seeds: left, lifted: false } : null);
    if (left > 0) pit = after(pit, direction);
  }
  ply.sown += seeds;
  const told = ply.events.at(-1);
  if (told?.kind === "sow" || told?.kind === "capture") told.last = pit;
  return pit;
}

/** The lines a, b, d and e of section 4 of the rules. @param {Ply} ply @param {number} last @param {boolean} wasCapture */
function whyEnd({ board, namua, captures, plays }, last, wasCapture) {
  if (wasCapture && isFrontEmpty(board.theirs)) return "front";
  if (seedsIn(board.mine, last) === 1) return "empty";
  if (captures && capturesAt(board, last)) return null;
  if (namua && last === HOUSE && hasStrongHouse(board.mine) && !(captures && plays)) return "house";
  return !captures && board.mine.takasia === last ? "takasia" : null;
}

/** Takes the seeds that face a front pit, which may turn the direction round. @param {Ply} ply @param {number} pit @returns {Lap} */
function capture(ply, pit) {
  const { theirs } = ply.board;
  const from = facing(pit);
  const seeds = seedsIn(theirs, from);
  theirs.pits[from] = 0;
  const isHouse = from === HOUSE && theirs.house;
  if (isHouse) theirs.house = false;
  ply.taken.push(from);
  show(ply, { whose: "theirs", pit: from, seeds, lifted: true });
  const forced = forcedKichwa(pit);
  if (forced !== null) ply.direction = forced === 0 ? 1 : -1;
  const kichwa = ply.direction === 1 ? 0 : ROW - 1;
  if (isHouse) ply.events.push({ kind: "lose", whose: "theirs" });
  ply.events.push({ kind: "capture", pit, seeds, kichwa, last: kichwa });
  return { from: null, seeds, first: kichwa };
}

/** Lifts the seeds of a pit, or some of them. @param {Ply} ply @param {number} pit @param {number} [some] @returns {Lap} */
function lift(ply, pit, some) {
  const { mine } = ply.board;
  const seeds = some ?? seedsIn(mine, pit);
  put(mine, pit, -seeds);
  if (pit === HOUSE && mine.house && some === undefined) {
    mine.house = false;
    ply.events.push({ kind: "lose", whose: "mine" });
  }
  show(ply, { whose: "mine", pit, seeds, lifted: true });
  ply.events.push({ kind: "sow", pit, seeds, last: pit, first: ply.sown === 0, tax: some !== undefined });
  return { from: pit, seeds, first: after(pit, ply.direction) };
}

/** A capture of the mtaji stage ends the rights of both houses. @param {Ply} ply */
function loseBoth({ board, events }) {
  for (const whose of /** @type {const} */ (["mine", "theirs"])) {
    if (board[whose].house) events.push({ kind: "lose", whose });
    board[whose].house = false;
  }
}

/** The captures of the mtaji stage, as the pits where they are made. @param {Board} board */
const threats = (board) =>
  Array.from({ length: PITS }, (_, pit) => pit).flatMap((pit) => ["L", "R"].flatMap((letter) => reaches(board, pit, letter) ?? []));

/** Marks the only pit of the opponent that the mover threatens, if the rules mark it (section 9). @param {Ply} ply */
function markTakasia({ board, events }) {
  const { mine, theirs } = board;
  if (threats({ mine: theirs, theirs: mine }).length > 0) return;
  const [pit, ...others] = new Set(threats(board).map(facing));
  if (pit === undefined || others.length > 0 || (pit === HOUSE && theirs.house)) return;
  const isOnly = (/** @type {number} */ least) =>
    seedsIn(theirs, pit) >= least && theirs.pits.slice(0, ROW).every((seeds, i) => i === pit || seeds < least);
  if (isOnly(1) || isOnly(2)) return;
  theirs.takasia = pit;
  events.push({ kind: "takasia", pit });
}
