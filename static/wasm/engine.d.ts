/* tslint:disable */
/* eslint-disable */

/**
 * An engine that keeps what it has learnt from one search to the next.
 */
export class Engine {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Forgets all earlier searches, so that the next is as if it were the first.
     */
    forget(): void;
    /**
     * An engine that knows nothing yet, with so many megabytes for its table.
     *
     * # Errors
     *
     * `no-memory`.
     */
    constructor(megabytes: number);
    /**
     * Finds the best move of a game, within the limits that are named; `report` is called with what every iteration has found.
     *
     * # Errors
     *
     * The code of what is wrong with the game, `game-over`, or `no-limit`.
     */
    think(game: Game, depth?: number | null, nodes?: number | null, movetime_ms?: number | null, report?: Function | null): string;
}

/**
 * A game as far as it was played, which the engine looks at: what has occurred in it is known to occur again.
 */
export class Game {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A game of a kind, by its setup or, if that is not empty, from a position; then moves that blanks separate.
     *
     * # Errors
     *
     * The code of what is wrong with kind, setup, position or a move.
     */
    constructor(kind: string, setup: string, position: string, moves: string);
}

/**
 * The move that a player of this level makes; the same `seed` makes the same mistakes.
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
    readonly choose: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly engine_forget: (a: number) => void;
    readonly engine_new: (a: number) => [number, number, number];
    readonly engine_think: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
    readonly game_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
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
