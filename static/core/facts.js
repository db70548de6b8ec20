// @ts-check
// Made by `MAWE_FACTS=write cargo test -p mawe-wire --test facts`: the lists and bounds of the wire.

/** The pools of every game: minutes and seconds a move, by the server's names. */
export const POOLS = /** @type {const} */ (["1+0", "3+2", "5+0", "10+5", "15+10"]);

/** Every speed, the fastest first. */
export const SPEEDS = /** @type {const} */ (["bullet", "blitz", "rapid", "classical", "daily"]);

/** Each speed with clocks, but the slowest, is below its entry here, by base and counted increments. */
export const SPEED_ENDS_MS = /** @type {const} */ ([180000, 480000, 1500000]);

/** The number of increments that count as base time. */
export const INCREMENTS = /** @type {const} */ (40);

/** The least and the most base time. */
export const BASE_MS = /** @type {const} */ ([10000, 10800000]);

/** The least and the most increment. */
export const INCREMENT_MS = /** @type {const} */ ([0, 180000]);

/** The reasons of matches that were called off. */
export const CALLED_OFF = /** @type {const} */ (["aborted", "no-show", "left-early", "closed"]);

/** The codes of refusals after which a command is sent again. */
export const PASSING = /** @type {const} */ (["busy", "storage-unavailable"]);

/** The codes with which a wait in a pool is refused; none of these refusals names the pool. */
export const POOL_REFUSALS = /** @type {const} */ ([
  "account-needed",
  "no-bots",
  "pool-wait",
  "sign-in-first",
  "storage-low",
  "storage-unavailable",
  "too-many-pools",
  "too-many-running",
  "unknown-pool",
]);
