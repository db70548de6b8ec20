// @ts-check
// What every view is given, and what it gives back.

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
 * @property {(text: string) => void} announce says it once to those who listen
 * @property {(language: Language) => Promise<void>} speak from now on, and with an account wherever its owner logs in
 */

/**
 * What a match needs of a line: to the server, or to the referee on this device.
 * @typedef {Pick<Line, "status" | "onStatus" | "waiting" | "follow" | "command" | "rematch" | "phrase" | "mute">} MatchLine
 */
/** @typedef {Pick<Context, "go" | "announce"> & { line: MatchLine, session: Pick<Session, "player"> }} MatchContext */

/** @typedef {{ el: HTMLElement, title: () => string, destroy?: () => void }} View */
/** @typedef {(ctx: Context, params: Params) => View} ViewMaker */

export {};
