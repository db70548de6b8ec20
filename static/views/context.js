// @ts-check
// The arguments and results of every view.

/** @import { Line } from "../net/socket.js" */
/** @import { Lobby } from "../net/lobby.js" */
/** @import { Session } from "../net/session.js" */
/** @import { Params } from "../core/router.js" */
/** @import { Language } from "../core/types.js" */

/**
 * @typedef {Object} Context
 * @property {Line} line
 * @property {Session} session
 * @property {Lobby} lobby
 * @property {(path: string, options?: { replace?: boolean }) => void} go
 * @property {(text: string) => void} announce announces a text once to screen readers
 * @property {(language: Language) => Promise<void>} speak changes the language, and with an account wherever its owner logs in
 * @property {(options?: { end?: () => Promise<unknown>, stays?: boolean }) => Promise<void>} logOut ends the session, by `end` where that ends
 * more, removes the player's matches from the device, and shows the front page unless the reader `stays`; rejects where the session has not ended
 */

/**
 * The functions of a line that a match needs: to the server, or to the referee on this device.
 * @typedef {Pick<Line, "status" | "onStatus" | "waiting" | "follow" | "command" | "rematch" | "phrase" | "mute">} MatchLine
 */
/** @typedef {Pick<Context, "go" | "announce"> & { line: MatchLine, session: Pick<Session, "player"> }} MatchContext */

/** @typedef {{ el: HTMLElement, title: () => string, destroy?: () => void }} View */
/**
 * Makes a view. `early` is the first content of the document, if the view is the first and the content is in the reader's language: it can
 * stay until the view has its own.
 * @typedef {(ctx: Context, params: Params, early?: Element | null) => View} ViewMaker
 */

export {};
