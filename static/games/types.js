// @ts-check
// The types of a game on the page: the game itself, the pictures of its rules and its tasks.

/** @import { Look } from "../board/render.js" */
/** @import { BoardState, Cell, Layout, Piece, Pieces, Step, Traces } from "../board/state.js" */
/** @import { GameKind, Seats, Side } from "../core/types.js" */

/**
 * An option of a match: `key=value` in the setup, left out for the standard value. Its texts in the catalogues are `option.KEY.title` and
 * `game.ID.option.KEY.VALUE`, or `option.KEY` for any number. An option without `values` is shown but not offered. A rated match is played
 * with `rated`, if that is given. An option with `needs` is offered only with these values of other options, and one with `server` only for
 * a match on the server.
 * @typedef {{ key: string, values: string[], standard: string, rated?: string, needs?: Record<string, string>, server?: boolean }} SetupOption
 */

/**
 * A round of a match.
 * @typedef {Object} Round
 * @property {number} number counted from 1
 * @property {number} of the most rounds of the match
 * @property {Seats<number>} owned the seeds of each side at its beginning; where rounds are added, those won in the rounds before
 * @property {number} ply the number of plies before it
 * @property {boolean} adds whether the seeds of the rounds are added
 */

/**
 * The part of a game that stands in `index.js`: what a page needs without drawing its board.
 * @typedef {Object} GameEntry
 * @property {GameKind} id its name on the wire
 * @property {SetupOption[]} options
 * @property {Seats<string>} marks the sign beside each side's name: `light` or `dark`, `near` or `far`
 * @property {string} unit what the count beside a side's name counts, as the last word of its text `tally.UNIT`
 * @property {Seats<string>} codes the name of each side in a result of the rules
 * @property {boolean} lifts whether a move begins by lifting a piece; else a move is one cell
 * @property {boolean} [casual] whether it has no rated matches
 * @property {boolean} [sows] whether its steps sow seeds: they have a speed setting of their own
 */

/**
 * The part of a game that stands in its own file and is loaded with it.
 * @typedef {Object} GameDrawing
 * @property {string} start the standard position before the first ply
 * @property {string} picture a position from a match, for the home page
 * @property {string} recorded a game of the engine against itself to its end, for the home page where nobody plays: from an opening of three
 *   random plies, with 40,000 to 120,000 positions a move (of Pallanguzhi, whose best play ends after eight plies, of levels 6 and 7); with
 *   `+` before a move of the side that has made the move before it
 * @property {number} pace the duration of each step of a move, in milliseconds
 * @property {(setup: string) => Layout} layout
 * @property {(position: string) => { pieces: Pieces, turn: Side }} parse reads the position notation
 * @property {(move: string, side: Side, pieces?: Pieces) => string[]} path the cells that make a move, in the order they are chosen; none
 *   for a pass. The pieces before the move, where they are known, tell apart moves of the same text
 * @property {(cells: string[], side: Side, pieces?: Pieces) => string | null} attempt the move of a choice of cells, legal or not; null if it
 *   makes no move. The pieces, where they are known, tell a step over some squares from a jump. A single cell that begins no legal move may
 *   give one that is refused, for its reason
 * @property {(text: string, legal: string[]) => string | null} [read] the move of a typed text, legal or not, in a game whose moves are not
 *   written as their cells; null for a text that is no move
 * @property {(pieces: Pieces, move: string, side: Side) => Pieces} preview the pieces after a legal move, until the server has answered
 * @property {(pieces: Pieces, move: string, side: Side) => Step[]} steps the positions on the way there; none for a move of one step
 * @property {(pieces: Pieces, move: string, side: Side) => Traces} [traces] the traces of a legal move, where they are not plain from the
 *   pieces before and after it
 * @property {Look["wayBar"]} [wayBar] the bar below the board with a button for each legal move of the chosen cells
 * @property {(pieces: Pieces, move: string, side: Side) => Told} [told] the words about a legal move, part by part
 * @property {(last: () => Ply | null) => HTMLElement} [toldPart] the part of the page with these words about the shown ply; null before
 *   the first
 * @property {(pieces: Pieces, move: string, side: Side) => string | null} [reach] the cell where the last seed of the first sowing falls
 * @property {boolean} [showsCounted] whether the cells that count are marked before the end, too
 * @property {(move: string) => string} notation a move as text for the reader
 * @property {(move: string) => string} spoken a move as text for a screen reader
 * @property {(pieces: Pieces) => string[]} counted the cells that count at the end
 * @property {(setup: string, positions: string[], moves: string[]) => Round | null} [round] the round of the last of these positions, the
 *   first of which begins the match, with the moves between them; null where the setup has no rounds
 * @property {(pieces: Pieces) => Seats<number>} tally the current count of each side
 * @property {(pieces: Pieces) => Seats<number>} [captured] the number of pieces that each side has captured, where they leave the board
 * @property {(piece: Piece) => string | null} stuck the reason why a piece on the board cannot move at all, as a code of the rules
 * @property {(pieces: Pieces, legal: string[], side: Side) => string | null} bound the reason why a side has so few moves, as a code of the
 *   rules
 * @property {(piece: Piece) => { front: SVGElement, back: SVGElement | null }} draw
 * @property {(cell: Cell, piece: Piece | undefined, you: Side | null) => string} cellName `you` is the player's side, whose pieces are
 *   named as theirs
 * @property {(cell: Cell, state: BoardState) => string[]} coords
 */

/** A ply, with the position before it. @typedef {{ position: string, move: string, side: Side }} Ply */

/** What happens in a ply, in words: part by part, and all of it in one sentence. @typedef {{ parts: string[], sentence: string }} Told */

/** A game that is loaded. @typedef {GameEntry & GameDrawing} Game */

/**
 * A position in the editor. `note`: what its text says besides the pieces and the side to move.
 * @typedef {{ pieces: Pieces, turn: Side, note: string }} Edited
 */

/**
 * A tool of the editor, whose text is `editor.tool.NAME`. `put` gives the new contents of a cell, nothing for an empty one; `piece`: the
 * piece that it puts, to be drawn on its button; `by`: the seeds that it adds, or takes if it is negative.
 * @typedef {{ name: string, piece?: Piece, by?: number, put: (here: Piece | undefined, cell: string) => Piece | undefined }} Tool
 */

/**
 * Odds for a side, or a start with other numbers: the position after it, or null where it changes nothing. Its text is `editor.odds.KEY`.
 * @typedef {{ key: string, side?: Side, n?: number, apply: (edited: Edited) => Edited | null }} Odds
 */

/**
 * The part of a game that the editor needs, in `editing/`. Nothing here judges a position: the rules do.
 * @typedef {Object} Editing
 * @property {(position: string) => Edited} read
 * @property {(edited: Edited) => string} write the inverse of `read`
 * @property {string} empty the position without pieces or seeds
 * @property {Tool[]} tools the first is chosen at the beginning
 * @property {Odds[]} odds
 * @property {string} [total] the text of the number of seeds on the board
 */

/** The export of a game's file: the whole game, given its entry. @typedef {(entry: GameEntry) => Game} GameMaker */

/**
 * A picture of the rules: a position, the legal moves that it shows, and the move that it plays. Its texts are `rules.GAME.KEY.title` and
 * `.text`, or those of `texts` in place of the game, where several games share them.
 * @typedef {{ key: string, texts?: string, position: string, legal: string[], move: string | null }} Lesson
 */

/**
 * A goal of the reader, who moves for one side of the task:
 * - `gains`: their count rises by this many (stones home, discs, seeds in the store)
 * - `takes`: the opponent has this many pieces fewer
 * - `pins`, `frees`: this many more stones of the opponent, or fewer of their own, are turned over
 * - `crowns`: one of their pieces has been turned over
 * - `stands`: one of their pieces stands on the cell
 * - `again`: they move again
 * - `feeds`: the opponent's houses have this many seeds
 * - `passes`: the opponent can only pass
 * - `denies`: none of these moves is legal for the opponent
 * - `holds`: no reply costs more than this: `pieces` taken, `stones` turned over, seeds gained in the opponent's `store` (in Bao: gained by
 *   the opponent), the own `house` lost (1)
 * - `keeps-house`: they still own their nyumba
 * - `takes-house`: the opponent owned the nyumba, and has lost it
 * - `wins`: the game is over, and won
 * @typedef {{ kind: "gains" | "takes" | "pins" | "frees" | "feeds", n: number } | { kind: "crowns" | "again" | "passes" | "keeps-house" | "takes-house" | "wins" }
 *   | { kind: "stands", cell: string } | { kind: "denies", moves: string[] } | { kind: "holds", what: "pieces" | "stones" | "store" | "house", n: number }} Goal
 */

/**
 * @typedef {Object} Task
 * @property {string} key of its texts `task.GAME.KEY.title` and `.goal`
 * @property {string} [texts] the name in place of the game's in these keys, where several games share them
 * @property {string} [group] the heading `learn.group.GROUP` over this and the next tasks of the group, where a game has many
 * @property {string} position
 * @property {Goal[]} goals one position must meet all of them
 * @property {number} moves the number of the reader's moves
 * @property {string[]} solution the plies of one solution, replies included
 * @property {boolean} [answered] whether the opponent replies as in the solution, and the reader moves again; else the task is one turn
 * @property {string} wrong a legal first move after which the goals cannot be met
 */

export {};
