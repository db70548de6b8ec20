// @ts-check
// The wire, as the page sees it: the names are those of the Rust types in the server's protocol module, so that these typedefs can
// give way to generated ones without a change anywhere else. Field meanings and units are explained there.

/** @typedef {"first" | "second"} Side */
/** @typedef {"bullet" | "blitz" | "rapid" | "classical"} Speed */
/** @typedef {"guest" | "account" | "bot"} PlayerKind */
/** @typedef {"first" | "second" | "random"} SideWish */
/** @typedef {{ kind: "realtime", base_ms: number, increment_ms: number }} TimeControl */
/** @typedef {{ name: string, kind: PlayerKind, level?: number }} PlayerRef */
/** @typedef {{ rating: number, deviation: number, provisional: boolean }} RatingRef */
/** @typedef {{ player: PlayerRef, rating: RatingRef | null, rating_change?: number | null }} SeatView */
/** @typedef {{ first_ms: number, second_ms: number, running: Side | null, first_move_ms: number | null }} ClockView */
/** @typedef {{ first: boolean, second: boolean, spectators: number }} Presence */
/** @typedef {{ offered_by: Side | null, next: string | null }} RematchView */
/**
 * @template T
 * @typedef {{ first: T, second: T }} Seats
 */
/** @typedef {{ winner: Side | null, reason: string, score?: Seats<number> | null }} MatchResult */
/** @typedef {{ side: Side, move: string, position: string, clock_ms: number, spent_ms: number, lag_ms: number }} PlyView */

/**
 * How a match stands after an entry: every event carries it anew.
 * @typedef {{
 *   position: string, turn: Side, ply: number, legal: string[], clock: ClockView,
 *   draw_offer: Side | null, result: MatchResult | null,
 * }} StateView
 */

/**
 * @typedef {{
 *   id: string, game: string, setup: string, start: string, rated: boolean, time_control: TimeControl, speed: Speed,
 *   seats: Seats<SeatView>, created_at: string, finished_at: string | null, seq: number, plies: PlyView[],
 * } & StateView} MatchView
 */

/**
 * @typedef {({ kind: "move" } & PlyView)
 *   | { kind: "resign" | "offer-draw" | "accept-draw" | "decline-draw" | "flag", side: Side }
 *   | { kind: "abort", side: Side | null }} MatchEvent
 */

/**
 * What a player does in a match.
 * @typedef {{ kind: "move", ply: number, move: string }
 *   | { kind: "resign" | "offer-draw" | "accept-draw" | "decline-draw" | "abort" }} Command
 */

/**
 * What the page sends.
 * @typedef {{ t: "join", match: string, since?: number }
 *   | { t: "leave", match: string }
 *   | { t: "command", match: string, client_id: string, seq: number, command: Command }
 *   | { t: "rematch", match: string }
 *   | { t: "ping" }} ClientMsg
 */

/** @typedef {{ match: MatchView, you: Side | null, presence: Presence, rematch: RematchView }} Snapshot */
/** @typedef {{ match: string, seq: number, client_id?: string, event: MatchEvent, state: StateView }} EventMsg */
/** @typedef {{ match?: string, client_id?: string, code: string, why?: string, message: string }} ErrorMsg */

/**
 * What the server sends.
 * @typedef {{ t: "hello", player: PlayerRef | null, heartbeat_ms: number }
 *   | ({ t: "snapshot" } & Snapshot)
 *   | ({ t: "event" } & EventMsg)
 *   | { t: "joined", match: string, seq: number, clock: ClockView, you: Side | null, presence: Presence, rematch: RematchView }
 *   | { t: "presence", match: string, presence: Presence }
 *   | { t: "rematch", match: string, rematch: RematchView }
 *   | { t: "challenge-accepted", challenge: string, match: string }
 *   | ({ t: "error" } & ErrorMsg)
 *   | { t: "pong" }
 *   | { t: "closing", reason: string, retry_ms: number }} ServerMsg
 */

// REST.

/**
 * @typedef {{
 *   id: string, game: string, setup: string, side: SideWish, time_control: TimeControl, speed: Speed, rated: boolean,
 *   challenger: PlayerRef, challenger_rating: RatingRef | null, status: "open" | "accepted" | "cancelled" | "expired",
 *   match: string | null, created_at: string, expires_at: string,
 * }} Challenge
 */

/**
 * @typedef {{
 *   id: string, game: string, setup: string, rated: boolean, time_control: TimeControl, speed: Speed, seats: Seats<SeatView>,
 *   result: MatchResult | null, plies: number, created_at: string, finished_at: string | null,
 * }} MatchSummary
 */

/**
 * @typedef {{
 *   game: string, speed: Speed, rating: number, deviation: number, volatility: number, games: number,
 *   won: number, drawn: number, lost: number, provisional: boolean, updated_at: string,
 * }} PlayerRating
 */

/**
 * @typedef {{
 *   player: PlayerRef, created_at: string, ratings: PlayerRating[], played: number, won: number, drawn: number, lost: number,
 * }} PlayerProfile
 */

/** @typedef {{ rank: number, player: PlayerRef, rating: RatingRef, games: number }} LeaderboardRow */
/**
 * A page of a list; `next` is the cursor of the page after it.
 * @template T
 * @typedef {{ items: T[], next?: string | null }} Page
 */

export {};
