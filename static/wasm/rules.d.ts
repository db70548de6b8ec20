/* tslint:disable */
/* eslint-disable */

/**
 * One game from its start to its current position, with house draws.
 */
export class Game {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The code of the reason why a move would be refused; nothing if it is legal.
     */
    explainIllegal(text: string): string | undefined;
    /**
     * The pass, if it is the only legal ply. Only some games have passes.
     */
    forcedPass(): string | undefined;
    /**
     * The first game of a text in Portable Draughts Notation; tags other than those of the start are ignored. `kind` is the game, or empty
     * for the one that the tags name.
     *
     * # Errors
     *
     * The code of the error, the line and the column, separated by blanks; only `no-game` if the text holds no game.
     */
    static fromPdn(kind: string, text: string): Game;
    /**
     * A game of a kind from a position, without earlier moves.
     *
     * # Errors
     *
     * The code of the error in kind or position.
     */
    static fromPosition(kind: string, position: string): Game;
    /**
     * A game of Reversi from a transcript.
     *
     * # Errors
     *
     * As for `fromPdn`.
     */
    static fromTranscript(text: string): Game;
    /**
     * The id of the game.
     */
    kind(): string;
    /**
     * The legal moves, sorted; none when the game is over.
     */
    legalMoves(): string[];
    /**
     * The plies played, in order.
     */
    moves(): string[];
    /**
     * The result if the game is over: winner code, reason and, in a game with points, the points of the first and the second side, as in
     * `s row-empty 26-22`.
     */
    outcome(): string | undefined;
    /**
     * A move of this game as it is written in Portable Draughts Notation; as it is in a game without that notation.
     */
    pdnMove(m: string): string;
    /**
     * The names of the tags with the two players in Portable Draughts Notation; none in a game without that notation.
     */
    pdnPlayers(): string[];
    /**
     * The winner by a result in Portable Draughts Notation, `first`, `second` or `draw`; none if it is no result, or an open one.
     */
    pdnWinner(result: string): string | undefined;
    /**
     * The game in Portable Draughts Notation, if it is a draughts game. `tags` holds names and values in turn. `winner` is the result of a game
     * that did not end by the rules: `first`, `second` or `draw`; any other text means that there is no result yet.
     */
    pdn(tags: string[], winner: string): string | undefined;
    /**
     * Plays a move.
     *
     * # Errors
     *
     * The code of the reason; the game is then unchanged.
     */
    play(text: string): void;
    /**
     * The number of plies played.
     */
    ply(): number;
    /**
     * The current position.
     */
    position(): string;
    /**
     * Takes back the last plies, or all if there are fewer; returns their number.
     */
    retreat(plies: number): number;
    /**
     * The setup of the game.
     */
    setup(): string;
    /**
     * A new game of a kind; the empty setup is the standard game.
     *
     * # Errors
     *
     * The code of the error in kind or setup.
     */
    static start(kind: string, setup: string): Game;
    /**
     * The game as a transcript, if it is Reversi.
     */
    transcript(): string | undefined;
    /**
     * The side to move, `first` or `second`.
     */
    turn(): string;
}

/**
 * One match on this device, from its record on.
 */
export class Referee {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Handles a command of a side, given as `first` or `second`: JSON with the `events` in order, each a pass of its own after the move
     * that forces it, and the `error` if the command is refused. A player of both sides acts for the side to move.
     *
     * # Errors
     *
     * `damaged` if side or command cannot be read.
     */
    command(side: string, command: string): string;
    /**
     * A match of one player for both sides, from a position on.
     *
     * # Errors
     *
     * The code of the error in kind or position.
     */
    static fromPosition(kind: string, position: string): Referee;
    /**
     * The legal moves, sorted; none when the game is over.
     */
    legalMoves(): string[];
    /**
     * Opens a record, as JSON in the page's form.
     *
     * # Errors
     *
     * `damaged` if it is no match of these rules.
     */
    static open(kept: string): Referee;
    /**
     * The outcome by the rules, as of a `Game`.
     */
    outcome(): string | undefined;
    /**
     * Plays the passes that a position begins with, and returns their events as JSON. In a running match a pass follows its move.
     */
    playPasses(): string;
    /**
     * The number of plies played.
     */
    ply(): number;
    /**
     * The current position.
     */
    position(): string;
    /**
     * The terms, the plies and the state as JSON.
     */
    table(): string;
    /**
     * The side to move, `first` or `second`.
     */
    turn(): string;
}

/**
 * The ids of all games, in the order in which lists show them.
 */
export function games(): string[];

/**
 * Plays `moves`, separated by blanks, and returns the input of the digests of RULES.md section 8: a line `POS|LEGAL` for every position
 * from the start to the end. An empty `start` is the standard one.
 *
 * # Errors
 *
 * The code of the error in kind, start or moves.
 */
export function walk(kind: string, start: string, moves: string): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_game_free: (a: number, b: number) => void;
    readonly __wbg_referee_free: (a: number, b: number) => void;
    readonly game_explainIllegal: (a: number, b: number, c: number) => [number, number];
    readonly game_forcedPass: (a: number) => [number, number];
    readonly game_fromPdn: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly game_fromPosition: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly game_fromTranscript: (a: number, b: number) => [number, number, number];
    readonly game_kind: (a: number) => [number, number];
    readonly game_legalMoves: (a: number) => [number, number];
    readonly game_moves: (a: number) => [number, number];
    readonly game_outcome: (a: number) => [number, number];
    readonly game_pdn: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly game_pdnMove: (a: number, b: number, c: number) => [number, number];
    readonly game_pdnPlayers: (a: number) => [number, number];
    readonly game_pdnWinner: (a: number, b: number, c: number) => [number, number];
    readonly game_play: (a: number, b: number, c: number) => [number, number];
    readonly game_ply: (a: number) => number;
    readonly game_position: (a: number) => [number, number];
    readonly game_retreat: (a: number, b: number) => number;
    readonly game_setup: (a: number) => [number, number];
    readonly game_start: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly game_transcript: (a: number) => [number, number];
    readonly game_turn: (a: number) => [number, number];
    readonly games: () => [number, number];
    readonly referee_command: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly referee_fromPosition: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly referee_legalMoves: (a: number) => [number, number];
    readonly referee_open: (a: number, b: number) => [number, number, number];
    readonly referee_outcome: (a: number) => [number, number];
    readonly referee_playPasses: (a: number) => [number, number];
    readonly referee_ply: (a: number) => number;
    readonly referee_position: (a: number) => [number, number];
    readonly referee_table: (a: number) => [number, number];
    readonly referee_turn: (a: number) => [number, number];
    readonly walk: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __externref_drop_slice: (a: number, b: number) => void;
    readonly __externref_table_alloc: () => number;
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
