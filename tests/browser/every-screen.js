// @ts-check
// A server with content for every screen of the page, and the way to a screen. The lists of screens are in `screen-groups.js`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { match } from "../../static/core/router.js";
import { GAMES } from "../../static/tests/loaded-games.js";
import { eventually, follow, playFirst } from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */

/**
 * A screen: its address, or a function that returns it, with the pattern that it fits; `waitFor` names an element of its content; the element of
 * `open` is pressed there.
 * @typedef {{
 *   name: string,
 *   path: string | ((page: Page) => Promise<string>),
 *   pattern?: string,
 *   waitFor?: string,
 *   open?: readonly string[],
 * }} Screen
 */

/** What a filled server has: the ids of its matches and events. @typedef {Awaited<ReturnType<typeof fillServer>>["filled"]} Filled */

/** As long as a name may be: the page must have room for it everywhere. */
export const MODERATOR = "Nakato-Wanjiru-Achie";
export const OPPONENT = "Chukwuemeka-Onyekach";
export const REPORTED = "Kelele-Mchezaji-Mkuu";
/** That of the opponent, of as many characters as there may be, in letters that are wide. */
const DISPLAY_NAME = "മുത്തുലക്ഷ്മിയമ്മ കൊച്ച";

export const BY_DAYS = { kind: "correspondence", days: 3 };
export const RAPID = { kind: "realtime", base_ms: 600_000, increment_ms: 5_000 };
const AN_HOUR = { kind: "realtime", base_ms: 3_600_000, increment_ms: 0 };
/** The plies of each running match: enough for a list of moves, too few for an end. */
const PLIES = 6;
/** A rated match counts from the second move of each side on. */
const COUNTED_PLIES = 4;

/**
 * Sends a request with the session of a page.
 * @param {Page} page
 * @param {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} method
 * @param {string} path below `/api/v1`
 * @param {unknown} [data]
 */
export async function ask(page, method, path, data) {
  const answer = await page.request.fetch(`/api/v1${path}`, { method, ...(data === undefined ? {} : { data }) });
  const text = await answer.text();
  assert.ok(answer.ok(), `${method} ${path}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/**
 * Begins a match between two players, and plays the first legal moves; of Pallanguzhi the last ones, for the first end a round in five plies.
 * @param {readonly [Page, Page]} players the first makes the challenge
 * @param {{ game: string, setup?: string, rated: boolean, time_control: object, side?: "second" }} terms
 * @param {number} plies
 * @param {boolean} [resigned] whether the second player resigns then
 * @returns {Promise<string>} its id
 */
export async function playMatch([one, other], terms, plies, resigned = false) {
  const { id: challenge } = await ask(one, "POST", "/challenges", terms);
  const { id } = await ask(other, "POST", `/challenges/${challenge}/accept`, {});
  const { name } = (await ask(one, "GET", "/me")).player;
  for (let ply = 0; ply < plies; ply++) {
    const { seats, turn, legal, seq } = await ask(one, "GET", `/matches/${id}`);
    const mover = seats[turn].player.name === name ? one : other;
    const move = legal.at(terms.game === "pallanguzhi" ? -1 : 0);
    await ask(mover, "POST", `/matches/${id}/commands`, { client_id: `ply-${ply}`, seq, command: { kind: "move", ply, move } });
  }
  if (resigned) {
    const { seq } = await ask(other, "GET", `/matches/${id}`);
    await ask(other, "POST", `/matches/${id}/commands`, { client_id: "resign", seq, command: { kind: "resign" } });
  }
  return id;
}

/**
 * Fills a server with players, matches, an offer and a report.
 * @param {(options?: BrowserContextOptions) => Promise<{ page: Page }>} visit
 * @param {(...words: string[]) => Promise<unknown>} admin
 */
export async function fillServer(visit, admin) {
  const [moderator, opponent, reported] = await Promise.all([visit(), visit(), visit()]);
  /** @type {[typeof moderator, string][]} */
  const players = [
    [moderator, MODERATOR],
    [opponent, OPPONENT],
    [reported, REPORTED],
  ];
  for (const [{ page }, name] of players) await ask(page, "POST", "/accounts", { name, password: "kiboko-na-twiga-7" });
  await admin("grant", MODERATOR, "moderator");
  await admin("grant", MODERATOR, "operator");
  await admin("grant", MODERATOR, "teacher");
  const [mine, theirs] = [moderator.page, opponent.page];
  await ask(theirs, "PATCH", "/me/preferences", { avatar: "baobab", flag: "NG" });
  /** Of each game. @type {Map<string, string>} */
  const running = new Map();
  for (const { id } of GAMES) running.set(id, await playMatch([mine, theirs], { game: id, rated: false, time_control: BY_DAYS }, PLIES));
  /** @param {string} game @param {string} position @param {boolean} [resigned] */
  const playFrom = (game, position, resigned) =>
    playMatch([mine, theirs], { game, setup: `position=${position}`, rated: false, time_control: BY_DAYS }, PLIES, resigned);
  const fromPosition = {
    running: await playFrom("kalah", "4,0,4,4,4,4,4/4,4,4,4,0,4,4 s"),
    over: await playFrom("checkers", "B:W21,22,23,24,25,26,27,28,29,30,31:B1,2,3,4,5,6,7,8,9,10", true),
  };
  // The opponent, who is on vacation, is to move.
  const awaited = await playMatch([mine, theirs], { game: "kalah", rated: false, time_control: BY_DAYS, side: "second" }, 0);
  await ask(theirs, "POST", "/me/vacation", { days: 3 });
  const won = await playMatch([mine, theirs], { game: "mawe", rated: true, time_control: RAPID }, COUNTED_PLIES, true);
  const lost = await playMatch([theirs, mine], { game: "mawe", rated: true, time_control: RAPID }, COUNTED_PLIES, true);
  for (const page of [mine, theirs]) await ask(page, "PATCH", "/me/preferences", { chat: true });
  await ask(mine, "POST", `/matches/${won}/chat/players`, { text: "Karibu tena! Nakutakia siku njema, rafiki yangu." });
  await ask(theirs, "POST", `/matches/${won}/chat/players`, { text: `${"m".repeat(120)} – niepodległościowo` });
  const line = { room: "players", number: 2 };
  await ask(mine, "POST", `/players/${OPPONENT}/reports`, { reason: "chat", match: won, line });
  const { id: challenge } = await ask(mine, "POST", "/challenges", { game: "congkak", rated: false, time_control: BY_DAYS });
  await ask(theirs, "POST", "/seeks", { game: "checkers", rated: true, time_control: RAPID, min_rating: 1200, max_rating: 2400 });
  await ask(theirs, "POST", `/players/${REPORTED}/reports`, { reason: "other", text: `They said ${"m".repeat(80)} at every move.` });
  await ask(reported.page, "POST", `/players/${OPPONENT}/reports`, { reason: "stalling" });
  await ask(theirs, "PUT", "/me/display-name", { display_name: DISPLAY_NAME });
  await ask(mine, "POST", "/me/follows", { player: OPPONENT });
  await ask(theirs, "POST", "/me/follows", { player: MODERATOR });
  await ask(mine, "POST", "/me/blocks", { player: REPORTED });
  const clubMatch = await fillClubs(mine, theirs, reported.page);
  const events = await fillEvents(mine, theirs);
  await fillClass(mine);
  await ask(mine, "POST", "/me/tokens", { name: "a clock on my wall", scopes: ["read", "play"], expires_in_days: 7 });
  // A match with clocks and a player present is on the lists of running matches; the page stays open.
  const { id: shown } = await ask(theirs, "POST", "/matches", { game: "oware", level: 1, side: "first", time_control: AN_HOUR });
  await theirs.goto(`/match/${shown}`);
  await playFirst(theirs);
  await eventually(async () => (await ask(mine, "GET", `/players/${OPPONENT}/ratings/mawe/rapid`)).items.length === 2);
  return {
    /** The session of the moderator, for contexts in any language: the account has chosen none. */
    session: await mine.context().storageState(),
    filled: { running, fromPosition, awaited, won, lost, challenge, clubMatch, events },
  };
}

/** Founds clubs with texts as long as may be, a request, an invitation and an agreed club match; returns the match. @param {Page} mine @param {Page} theirs @param {Page} other */
async function fillClubs(mine, theirs, other) {
  const club = { handle: "stones", name: `Niepodległościowo ${"m".repeat(22)}`, joining: "request", banner: "m".repeat(200) };
  await ask(mine, "POST", "/clubs", { ...club, description: { en: `Every Friday.\n\n${"m".repeat(150)}` } });
  await ask(theirs, "POST", "/clubs/stones/members", {});
  await ask(mine, "POST", `/clubs/stones/requests/${OPPONENT}/accept`, {});
  await ask(other, "POST", "/clubs/stones/members", { line: "m".repeat(200) });
  await ask(theirs, "POST", "/clubs", { handle: "wachezaji-wa-mawe-1", name: "Klubu ya wachezaji wa mawe", joining: "open" });
  await ask(theirs, "POST", "/clubs/wachezaji-wa-mawe-1/invitations", { player: MODERATOR });
  const match = await ask(mine, "POST", "/clubs/stones/club-matches", {
    against: "wachezaji-wa-mawe-1",
    game: "congkak",
    time_control: { kind: "realtime", base_ms: 600_000, increment_ms: 5_000 },
    start_at: new Date(Date.now() + 25 * 24 * 60 * 60_000).toISOString(),
    boards: 50,
    games_per_board: 2,
  });
  await ask(theirs, "POST", `/club-matches/${match.id}/accept`, {});
  await ask(theirs, "POST", `/club-matches/${match.id}/players`, { side: "away" });
  return match.id;
}

/** Makes an event that is to come, and a round robin and a series that are played by the day; returns them. @param {Page} mine @param {Page} theirs */
async function fillEvents(mine, theirs) {
  const { id: coming } = await ask(mine, "POST", "/events", {
    kind: "arena",
    name: `Niepodległościowo ${"m".repeat(42)}`,
    description: `Every Friday.\n\n${"m".repeat(150)}`,
    game: "congkak",
    setup: "form=limited",
    time_control: RAPID,
    rated: true,
    start_at: new Date(Date.now() + 24 * 60 * 60_000).toISOString(),
    duration_minutes: 60,
    entry: { min_rating: 1200, max_rating: 2400, min_matches: 0, club: "stones", password: "siri-yetu" },
  });
  const { id: running } = await ask(theirs, "POST", "/events", {
    kind: "round-robin",
    name: "Wachezaji wa mawe, kwa siku",
    game: "reversi",
    time_control: BY_DAYS,
    start_players: 2,
  });
  const { id: series } = await ask(theirs, "POST", "/events", {
    kind: "series",
    name: "Mechi nne za watu wawili",
    game: "oware",
    time_control: BY_DAYS,
    start_players: 2,
    games: 4,
    best_of: true,
  });
  for (const id of [running, series]) {
    for (const page of [mine, theirs]) await ask(page, "POST", `/events/${id}/join`, {});
    await eventually(async () => (await ask(mine, "GET", `/events/${id}`)).me.match);
  }
  return { coming, running, series };
}

/** Founds a class with pupils of the longest names. @param {Page} mine */
async function fillClass(mine) {
  await ask(mine, "POST", "/clubs", { handle: "darasa-la-nne-b-2026", name: `Darasa la nne ${"m".repeat(26)}`, kind: "class" });
  const pupils = [
    { real_name: `Aleksandra Konstantynopolitańczykowianeczka ${"m".repeat(10)}`, name: "Aleksandra-Konstanty" },
    { real_name: "Asha Juma" },
  ];
  await ask(mine, "POST", "/clubs/darasa-la-nne-b-2026/pupils", { pupils });
}

/**
 * Goes to a screen within the page, and waits for its content.
 * @param {Page} page shows a page of the client
 * @param {Screen} screen
 * @returns {Promise<string>} its address
 */
export async function showScreen(page, { path, pattern, waitFor = "main h1", open = [] }) {
  const to = typeof path === "string" ? path : await path(page);
  if (pattern !== undefined) assert.ok(match([{ pattern, view: null }], to), `${to} is no ${pattern}`);
  if (new URL(to, page.url()).href !== page.url()) await follow(page, to);
  await page.locator(waitFor).first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector("main h1") && !document.querySelector("[aria-busy=true], main .loading"));
  for (const part of open) await page.locator(part).first().click();
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  return to;
}

/**
 * What a stranger sees on a server that is for its accounts alone and takes those with an invitation; `house.test.js` has such a server.
 * @type {readonly Screen[]}
 */
export const HOUSE_SCREENS = [
  { name: "the login of a house", path: "/login", waitFor: ".documents" },
  { name: "the form for an invitation", path: "/register?invite=0123-4567-89AB-CDEF", waitFor: "input[name=invitation]" },
  { name: "the form for a login card in a house", path: "/login-card", waitFor: "input[name=code]" },
  { name: "the form for a recovery code in a house", path: "/login?recover", waitFor: "input[name=code]" },
];

/** A link for a new password as a mail has it, of an account with a long name. */
const RESET_PATH = `/reset-password#${MODERATOR}/${"m".repeat(40)}`;

/**
 * What a stranger sees on a server that sends mail; `mail.test.js` has such a server.
 * @type {readonly Screen[]}
 */
export const MAIL_SCREENS = [
  { name: "both ways to a new password", path: "/login?recover", waitFor: "#by-mail input" },
  { name: "the form of a link for a new password", path: RESET_PATH, waitFor: "input[autocomplete=new-password]" },
  { name: "the form of a link that confirms an address", path: `/confirm-email#${"m".repeat(40)}`, waitFor: "form.account" },
];

/** What the owner of an account sees there. @type {readonly Screen[]} */
export const MAIL_SETTINGS = [{ name: "settings with an address", path: "/settings", waitFor: "#email details", open: ["#email summary"] }];

/**
 * The pages of the API, which are documents of their own and in English; `waitFor` is an element of the content, the element of `open` is pressed.
 * @type {readonly { path: string, waitFor: string, open?: readonly string[] }[]}
 */
export const API_PAGES = [
  { path: "/api/docs", waitFor: ".plain-list" },
  { path: "/api/docs#operation/post_challenges", waitFor: ".try", open: [".fields details summary", ".answer-row summary"] },
  { path: "/api/docs#operation/get_players_by_name_matches?name=mawe-Kete", waitFor: ".try", open: [".try button", ".answer .body"] },
  { path: "/api/docs#tag/moderation", waitFor: ".rows" },
  { path: "/api/docs#schema/MatchView", waitFor: ".fields", open: [".fields details summary"] },
  { path: "/api/docs#schemas", waitFor: ".rows" },
  { path: "/api/docs#codes", waitFor: "table" },
  { path: "/api/docs#code/account-needed", waitFor: ".rows" },
  { path: "/api/docs#socket", waitFor: ".console", open: [".identity summary"] },
  { path: "/api/docs#message/server/snapshot", waitFor: ".code-block" },
  { path: "/api/docs/protocol#close-codes", waitFor: ".guide table" },
  { path: "/api/docs/clients", waitFor: ".guide pre" },
];

/**
 * Opens a page of the API.
 * @param {Page} page
 * @param {(typeof API_PAGES)[number]} screen
 */
export async function showApiPage(page, { path, waitFor, open = [] }) {
  // Of two addresses that differ in their fragment alone the second would not be loaded.
  await page.goto("about:blank");
  await page.goto(path);
  await page.locator(`main ${waitFor}`).first().waitFor();
  await page.locator(".identity").waitFor();
  for (const part of open) await page.locator(part).first().click();
}

/** The patterns of the addresses that the page knows, from its source: a new one must come into the lists above. */
export function patterns() {
  const source = readFileSync(new URL("../../static/app.js", import.meta.url), "utf8");
  return [...source.matchAll(/pattern: "([^"]+)"/g)].map(([, pattern]) => String(pattern));
}

/** The patterns that none of these addresses fits. @param {readonly string[]} paths */
export function unseen(paths) {
  const routes = patterns().map((pattern) => ({ pattern, view: pattern }));
  const seen = new Set(paths.map((path) => match(routes, new URL(path, "http://page").pathname)?.view));
  return routes.map(({ pattern }) => pattern).filter((pattern) => !seen.has(pattern));
}
