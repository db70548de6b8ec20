// @ts-check
// REST: one function for each operation. A refusal is thrown as a `Problem` (RFC 9457), a missing connection as one with the code
// `offline`.

/** @import { Activity, AuditLine, Banner, Challenge, Challenges, Decision, DeclineReason, GameStatistics, HeadToHead, Language, LeaderboardRow, LineFault, MatchSummary, MatchView, Me, NewToken, Notice, OptionsWish, OwnDecision, Page, PlayerPair, PlayerProfile, PlayerRef, RatingPoint, Report, ReportReason, Scope, SeekView, SessionView, SideWish, Speed, TimeControl, TokenView, TvChannel } from "../core/types.js" */

/**
 * `retry_s`: seconds until a retry makes sense, where the server says so; `why`: the rule that is broken, where there are several; `lines`: those
 * at fault in a list.
 * @typedef {{ status: number, code: string, title: string, detail: string, field: string | null, retry_s: number | null, why?: string, lines?: LineFault[] }} Problem
 */

/** The terms of any match. @typedef {{ game: string, setup: string, time_control: TimeControl, options?: OptionsWish }} Terms */
/** @typedef {Terms & { level: number, side: SideWish, private?: boolean }} NewMatch */
/** @typedef {Terms & { side: SideWish, rated: boolean, private?: boolean, to?: string }} NewChallenge */
/** @typedef {Terms & { side: SideWish, rated: boolean, min_rating?: number, max_rating?: number }} NewSeek */
/** @typedef {Terms & { private?: boolean }} NewPassAndPlay */
/**
 * A filter for a player's matches; null means any value.
 * @typedef {Record<"game" | "opponent" | "rated" | "result" | "speed" | "since" | "until", string | null>} HistoryFilter
 */

const BASE = "/api/v1";

/** @type {() => Promise<Me>} */
export const getMe = () => call("GET", "/me");
/** @type {() => Promise<Me>} */
export const postGuest = () => call("POST", "/guests", {});
/** @type {() => Promise<null>} */
export const deleteSession = () => call("DELETE", "/sessions/current");

/**
 * `configured`: whether there is a banner at all, perhaps for other players only.
 * @type {() => Promise<{ banner: Banner | null, configured: boolean }>}
 */
export const getBanner = () => call("GET", "/banner");
/** @type {(filter: string) => Promise<Page<Notice> & { unread: number }>} */
export const getMyNotices = (filter) => call("GET", `/me/notices?${filter}`);
/** @type {(which: { id: string } | { up_to: string }) => Promise<null>} */
export const postNoticesRead = (which) => call("POST", "/me/notices/read", which);

/** @type {() => Promise<Page<MatchSummary>>} */
export const getMyMatches = () => call("GET", "/me/matches?limit=100");
/** @type {(game: string | null) => Promise<Page<MatchSummary>>} */
export const getRunningMatches = (game) => call("GET", `/matches?${query({ game })}`);
const matchPath = (/** @type {string} */ id) => `/matches/${encodeURIComponent(id)}`;
/** The address of a match's state; `theme.js` requests it with the document. @type {(id: string) => string} */
export const matchAddress = (id) => BASE + matchPath(id);
/** @type {(id: string) => Promise<MatchView>} */
export const getMatch = (id) => call("GET", matchPath(id));
/** @type {(wish: NewMatch) => Promise<{ id: string }>} */
export const postMatch = (wish) => call("POST", "/matches", wish);

/** @type {(wish: NewPassAndPlay) => Promise<{ id: string }>} */
export const postPassAndPlay = (wish) => call("POST", "/matches/pass-and-play", wish);
/** @type {() => Promise<Activity>} */
export const getActivity = () => call("GET", "/activity");
/** @type {() => Promise<{ items: TvChannel[] }>} */
export const getTv = () => call("GET", "/tv");

/** @type {(wish: NewSeek) => Promise<SeekView>} */
export const postSeek = (wish) => call("POST", "/seeks", wish);
/** @type {(id: string) => Promise<{ id: string }>} */
export const acceptSeek = (id) => call("POST", `/seeks/${encodeURIComponent(id)}/accept`, {});
/** @type {(id: string) => Promise<null>} */
export const deleteSeek = (id) => call("DELETE", `/seeks/${encodeURIComponent(id)}`);

/** @type {() => Promise<Challenges>} */
export const getMyChallenges = () => call("GET", "/me/challenges");
/** @type {(id: string, reason: DeclineReason) => Promise<null>} */
export const declineChallenge = (id, reason) => call("POST", `/challenges/${encodeURIComponent(id)}/decline`, { reason });
/** @type {(wish: NewChallenge) => Promise<Challenge>} */
export const postChallenge = (wish) => call("POST", "/challenges", wish);
/** @type {(id: string) => Promise<Challenge>} */
export const getChallenge = (id) => call("GET", `/challenges/${encodeURIComponent(id)}`);
/** @type {(id: string) => Promise<{ id: string }>} */
export const acceptChallenge = (id) => call("POST", `/challenges/${encodeURIComponent(id)}/accept`, {});
/** @type {(id: string) => Promise<null>} */
export const deleteChallenge = (id) => call("DELETE", `/challenges/${encodeURIComponent(id)}`);

/** Players whose names begin with `start`. @type {(start: string, limit: number) => Promise<{ items: PlayerRef[] }>} */
export const findPlayers = (start, limit) => call("GET", `/players?${query({ search: start, limit: String(limit) })}`);
/** @type {(name: string) => Promise<PlayerProfile>} */
export const getPlayer = (name) => call("GET", `/players/${encodeURIComponent(name)}`);
/** @type {(name: string, filter: HistoryFilter, cursor: string | null) => Promise<Page<MatchSummary>>} */
export const getHistory = (name, filter, cursor) =>
  call("GET", `/players/${encodeURIComponent(name)}/matches?${query({ ...filter, cursor, limit: "20" })}`);
/** The latest finished matches of a player, as many as one request gives. @type {(name: string) => Promise<Page<MatchSummary>>} */
export const getLatest = (name) => call("GET", `/players/${encodeURIComponent(name)}/matches?limit=100`);
/** The address at which all of them can be downloaded. @type {(name: string, filter: HistoryFilter) => string} */
export const historyExport = (name, filter) => `${BASE}/players/${encodeURIComponent(name)}/matches/export?${query(filter)}`;
/** The address at which a finished match can be downloaded. @type {(id: string, format: "json" | null) => string} */
export const matchExport = (id, format) => `${BASE}/matches/${encodeURIComponent(id)}/export?${query({ format })}`;
/** The address of a picture of a match's last position. @type {(id: string) => string} */
export const matchPicture = (id) => `${BASE}/matches/${encodeURIComponent(id)}/picture.png`;
/** The description of one of this server's pages for other pages: its frame, as HTML. @type {(url: string) => Promise<{ html: string }>} */
export const getEmbed = (url) => call("GET", `/oembed?${query({ url })}`, undefined, "");
/** The address of a finished match as a moving picture. @type {(id: string) => string} */
export const matchAnimation = (id) => `${BASE}/matches/${encodeURIComponent(id)}/animation.gif`;
/** @type {(name: string, other: string) => Promise<HeadToHead>} */
export const getHeadToHead = (name, other) => call("GET", `/players/${encodeURIComponent(name)}/against/${encodeURIComponent(other)}`);
/** The newest first. @type {(name: string, game: string, speed: Speed) => Promise<Page<RatingPoint>>} */
export const getRatings = (name, game, speed) =>
  call("GET", `/players/${encodeURIComponent(name)}/ratings/${game}/${speed}?order=newest&limit=500`);
/** @type {() => Promise<{ items: GameStatistics[] }>} */
export const getGames = () => call("GET", "/games");
/** @type {(game: string, speed: Speed, cursor: string | null) => Promise<Page<LeaderboardRow>>} */
export const getLeaderboard = (game, speed, cursor) => call("GET", `/leaderboards/${encodeURIComponent(game)}?${query({ speed, cursor })}`);

/** @type {(language: Language) => Promise<null>} */
export const postLanguage = (language) => call("POST", "/me/language", { language });
/** @import { Preferences } from "../core/types.js" */
/** @type {() => Promise<Preferences>} */
export const getPreferences = () => call("GET", "/me/preferences");
/** @type {(change: Partial<Preferences>) => Promise<Preferences>} */
export const patchPreferences = (change) => call("PATCH", "/me/preferences", change);
/** @type {() => Promise<{ items: SessionView[] }>} */
export const getSessions = () => call("GET", "/me/sessions");
/** Ends one of the player's sessions. @type {(id: string) => Promise<null>} */
export const deleteMySession = (id) => call("DELETE", `/me/sessions/${encodeURIComponent(id)}`);
/** Ends all of the player's sessions but this one. @type {() => Promise<null>} */
export const deleteOtherSessions = () => call("DELETE", "/me/sessions");
/** @type {() => Promise<{ items: TokenView[] }>} */
export const getTokens = () => call("GET", "/me/tokens");
/** @type {(name: string, scopes: Scope[], days: number) => Promise<NewToken>} */
export const postToken = (name, scopes, days) => call("POST", "/me/tokens", { name, scopes, expires_in_days: days });
/** @type {(id: string) => Promise<null>} */
export const deleteToken = (id) => call("DELETE", `/me/tokens/${encodeURIComponent(id)}`);

/** The key for a browser's subscription to push messages. @type {() => Promise<{ key: string }>} */
export const getPushKey = () => call("GET", "/push/key");
/**
 * Switches push messages on for the browser of this session.
 * @type {(subscription: { endpoint: string, p256dh: string, auth: string, language: Language }) => Promise<null>}
 */
export const putCalls = (subscription) => call("PUT", "/me/push", subscription);
/** @type {() => Promise<null>} */
export const deleteCalls = () => call("DELETE", "/me/push");

/** @type {(name: string, report: { reason: ReportReason, text: string, match?: string, line?: { room: "players" | "spectators", number: number } }) => Promise<{ id: string }>} */
export const postReport = (name, report) => call("POST", `/players/${encodeURIComponent(name)}/reports`, report);
/** @type {(state: "open" | "resolved" | "appealed", about: string | null, cursor: string | null) => Promise<Page<Report>>} */
export const getReports = (state, about, cursor) => call("GET", `/moderation/reports?${query({ state, about, cursor })}`);
/** @type {(id: string) => Promise<Report>} */
export const getReport = (id) => call("GET", `/moderation/reports/${encodeURIComponent(id)}`);
/** @type {(id: string) => Promise<Report>} */
export const takeReport = (id) => call("POST", `/moderation/reports/${encodeURIComponent(id)}/take`, {});
/** @type {(id: string, decision: Decision) => Promise<Report>} */
export const resolveReport = (id, decision) => call("POST", `/moderation/reports/${encodeURIComponent(id)}/resolve`, decision);
/** @type {(id: string, decision: { accept: boolean, note: string }) => Promise<Report>} */
export const decideAppeal = (id, decision) => call("POST", `/moderation/reports/${encodeURIComponent(id)}/appeal`, decision);
/** The decisions of moderators about the reader. @type {() => Promise<{ items: OwnDecision[] }>} */
export const getDecisions = () => call("GET", "/me/decisions");
/** @type {(id: string, text: string) => Promise<OwnDecision>} */
export const postAppeal = (id, text) => call("POST", `/me/decisions/${encodeURIComponent(id)}/appeal`, { text });
/** Pairs of players one of whom has hardly played with anybody else. @type {() => Promise<{ items: PlayerPair[] }>} */
export const getPairs = () => call("GET", "/moderation/pairs");
/**
 * Makes the rated matches of a player, or of a pair, void.
 * @type {(voiding: { player: string, opponent?: string, why: string }) => Promise<{ matches: number }>}
 */
export const postVoid = (voiding) => call("POST", "/moderation/voids", voiding);
/** @type {(about: string | null, cursor: string | null) => Promise<Page<AuditLine>>} */
export const getAudit = (about, cursor) => call("GET", `/moderation/audit?${query({ about, cursor })}`);

/** The server's version. @returns {Promise<string>} */
export const getVersion = async () => (await (await fetch("/api/openapi.json")).json()).info.version;

/**
 * @param {unknown} error
 * @returns {Problem}
 */
export function problemOf(error) {
  if (error && typeof error === "object" && "code" in error && "status" in error) return /** @type {Problem} */ (error);
  return { status: 0, code: "unexpected", title: "", detail: String(error), field: null, retry_s: null };
}

/** @param {Record<string, string | null>} parts */
export function query(parts) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value !== null) params.set(name, value);
  return params;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [base] the start of the address
 * @returns {Promise<any>}
 */
export async function call(method, path, body, base = BASE) {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(base + path, {
      method,
      headers: body ? { accept: "application/json", "content-type": "application/json" } : { accept: "application/json" },
      body: body ? JSON.stringify(body) : null,
    });
  } catch {
    throw problem(0, { code: "offline" });
  }
  if (answer.status === 204) return null;
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw problem(answer.status, { ...data, retry_s: Number(answer.headers.get("retry-after")) || null });
  return data;
}

/**
 * @param {number} status
 * @param {Partial<Problem>} data
 * @returns {Error & Problem}
 */
function problem(status, data) {
  const { code = "unexpected", title = "", detail = "", field = null, retry_s = null } = data;
  return Object.assign(new Error(`${status} ${code} ${detail}`), data, { status, code, title, detail, field, retry_s });
}
