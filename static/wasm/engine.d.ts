/* tslint:disable */
/* eslint-disable */

/**
 * An engine whose table lasts from one search to the next.
 */
export class Engine {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Clears the results of all earlier searches, so that the next search is as if it were the first.
     */
    forget(): void;
    /**
     * An engine with an empty table of `megabytes`.
     *
     * # Errors
     *
     * `no-memory` if the table cannot be allocated.
     */
    constructor(megabytes: number);
    /**
     * Finds the best move of a game within the given limits. Calls `report` with the result of every iteration.
     *
     * # Errors
     *
     * The code of the error in the game, `game-over`, or `no-limit` if no limit is given.
     */
    think(game: Game, depth?: number | null, nodes?: number | null, movetime_ms?: number | null, report?: Function | null): string;
}

/**
 * A game for the engine to analyse. Positions that have occurred in it count for repetition.
 */
export class Game {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A game of a kind, from its setup or, if `position` is not empty, from that position; then `moves`, separated by blanks.
     *
     * # Errors
     *
     * The code of the error in kind, setup, position or moves.
     */
    constructor(kind: string, setup: string, position: string, moves: string);
}

/**
 * Whether a computer player of this level on a side, `first` or `second`, accepts a draw; the same `seed` makes the same mistakes.
 *
 * # Errors
 *
 * `unknown-side`, `unknown-level` or `game-over`.
 */
export function acceptsDraw(game: Game, side: string, level: number, seed: number): boolean;

/**
 * The move of a player of this level and its intent, `plays`, `offers-draw` or `resigns`, as JSON; the same `seed` makes the same mistakes.
 *
 * # Errors
 *
 * `unknown-level` or `game-over`.
 */
export function choose(game: Game, level: number, seed: number, movetime_ms?: number | null): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_engine_free: (a: number, b: number) => void;
    readonly __wbg_game_free: (a: number, b: number) => void;
    readonly acceptsDraw: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly choose: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly engine_forget: (a: number) => void;
    readonly engine_new: (a: number) => [number, number, number];
    readonly engine_think: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
    readonly game_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
