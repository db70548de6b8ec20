// @ts-check
// The screens of the page, in groups that take about as long as each other to look at: a file of tests walks through each (`screen-walk.js`).
import { tasks } from "../../static/games/tasks/kalah.js";
import { GAMES } from "../../static/tests/loaded-games.js";
import { ask, MODERATOR, OPPONENT, RAPID, REPORTED } from "./every-screen.js";
import { recorded } from "./recorded.js";
import { follow, playFirst } from "./support.js";

/** @import { Page } from "playwright-core" */
/** @import { Filled, Screen } from "./every-screen.js" */

/** Who sees the screens of a group. @typedef {"visitor" | "moderator"} Who */

/**
 * The groups: a visitor is a stranger to the server; a moderator is a player with matches as well, whose header has all its links.
 * @satisfies {Record<string, { who: Who, screens: (filled: Filled) => readonly Screen[] }>}
 */
export const GROUPS = {
  pages: { who: "visitor", screens: pages },
  forms: { who: "visitor", screens: forms },
  rules: { who: "visitor", screens: () => GAMES.map(({ id }) => at(`/rules/${id}`)) },
  lessons: { who: "visitor", screens: lessons },
  matches: { who: "moderator", screens: matches },
  analyses: { who: "moderator", screens: analyses },
  community: { who: "moderator", screens: community },
};

/** @typedef {keyof typeof GROUPS} GroupName */

/** A screen that is called by its address. @param {string} path @returns {Screen} */
const at = (path) => ({ name: path, path });

/** Pages without a form for a match. @returns {Screen[]} */
function pages() {
  return [
    "/",
    "/play",
    "/watch",
    "/players",
    "/settings",
    "/notices",
    "/people",
    "/clubs",
    "/club/stones",
    "/club-match/none",
    "/events",
    "/event/none",
    "/new-event",
    "/about",
    "/invitations",
    "/login",
    "/login-card",
    "/confirm-email",
    "/reset-password",
    "/register",
    "/match/none",
    "/nothing/here",
    `/player/${OPPONENT}`,
    "/player/mawe-Changarawe",
    `/player/${REPORTED}/report`,
    accessPath(),
    "/oauth/authorize",
  ].map(at);
}

/** The forms for a match, the editor, and a game on this device. @returns {Screen[]} */
function forms() {
  return [
    at(`/play/${GAMES.at(-1)?.id}`),
    ...["mawe", "international", "congkak", "bao"].map((id) => at(`/editor/${id}`)),
    at("/editor/checkers?position=W:W1:B2"),
    {
      name: "the editor with more seeds than the server takes",
      path: "/editor/kalah?position=4,4,4,4,4,4,0/4,4,4,4,4,4,999+s",
      waitFor: ".play-here",
      open: [".play-here input[value=friend]"],
    },
    {
      name: "the form against a stranger",
      path: "/play?with=stranger",
      open: [".new-match .plain", ".match-options summary", "input[value=days]"],
    },
    { name: "the form against a friend", path: "/play?with=friend", open: ["input[value=own]", ".match-options summary"] },
    { name: "the form for a recovery code", path: "/login?recover", waitFor: "input[name=code]" },
    { name: "the form for one device", path: "/play?with=device", open: ["input[value=unlimited]", ".match-options summary"] },
    { name: "a game on this device", path: beginHere, pattern: "/device/:id", waitFor: ".match .cell" },
    {
      name: "its analysis, which waits for the end",
      path: async (page) => `/analysis${new URL(page.url()).pathname}`,
      pattern: "/analysis/device/:device",
    },
    { name: "the wait for a stranger", path: "/play/mawe?with=stranger", open: [".pool"] },
    // The bar stays above every page.
    ...["/", "/play", "/about", "/rules/oware"].map((path) => ({
      name: `${path} while waiting for a stranger`,
      path,
      waitFor: ".news.wait",
    })),
  ];
}

/** @returns {Screen[]} */
function lessons() {
  return ["/learn", "/analysis", ...GAMES.map(({ id }) => `/learn/${id}`), `/learn/kalah/${tasks[0]?.key}`, "/learn/mawe/pin"].map(at);
}

/** @param {Filled} filled @returns {Screen[]} */
function matches({ running, awaited, won, lost, challenge, fromPosition }) {
  return [
    ...[...running].map(([game, id]) => ({ name: `a match of ${game}`, path: `/match/${id}`, waitFor: ".moves button" })),
    {
      name: "conditional moves",
      path: `/match/${awaited}`,
      waitFor: ".seat .vacation:not([hidden])",
      open: [".actions button.conditional", ".sheet.conditional .kept h3"],
    },
    {
      name: "a match with clocks",
      path: beginTimed,
      pattern: "/match/:id",
      waitFor: ".match .clock",
      open: [".about summary", ".typed button"],
    },
    {
      name: "a match from a position",
      path: `/match/${fromPosition.running}`,
      waitFor: ".moves button",
      open: [".about summary"],
    },
    {
      name: "a match from a position that is over",
      path: `/match/${fromPosition.over}`,
      waitFor: '.about a[href$="?ply=0"]',
      open: [".about summary"],
    },
    { name: "a match that is won", path: `/match/${won}`, waitFor: ".ending", open: [".about summary"] },
    {
      name: "a match with its chat",
      path: `/match/${won}`,
      waitFor: ".chat:not([hidden]) .chat-title",
      open: [".chat-title button", ".chat-log .chat-more"],
    },
    { name: "a match that is lost", path: `/match/${lost}`, waitFor: ".ending" },
    { name: "a challenge", path: `/challenge/${challenge}`, waitFor: ".copy-field" },
  ];
}

/** @param {Filled} filled @returns {Screen[]} */
function analyses({ won, fromPosition }) {
  return [
    { name: "an analysis", path: `/analysis/${won}`, waitFor: ".branches button" },
    { name: "an analysis from a position", path: `/analysis/${fromPosition.over}?ply=0`, waitFor: ".branches button" },
    ...GAMES.map((game) => ({
      name: `an analysis of ${game.id}`,
      path: analysisPath(game),
      waitFor: ".branches button",
      open: [".worth summary"],
    })),
  ];
}

/** What a player sees of others, and a moderator of the server. @param {Filled} filled @returns {Screen[]} */
function community({ won, clubMatch, events }) {
  return [
    { name: "one's own home page", path: "/", waitFor: ".home .match-row" },
    { name: "running matches", path: "/watch", waitFor: ".channel:not(.empty) .players:not([hidden])" },
    { name: "a leaderboard", path: "/players/mawe", waitFor: "main h1" },
    { name: "one's own profile", path: `/player/${MODERATOR}`, waitFor: ".match-row", open: [".filters summary"] },
    { name: "another's profile", path: `/player/${OPPONENT}`, waitFor: ".relation button", open: [".chart summary"] },
    { name: "a report", path: `/player/${REPORTED}/report`, waitFor: "textarea" },
    { name: "a report of a line of chat", path: `/player/${OPPONENT}/report?match=${won}&room=players&line=2`, waitFor: "textarea" },
    { name: "the queue of reports", path: "/moderation", waitFor: ".reports .card", open: [".reported-lines summary"] },
    { name: "the state of the server", path: "/admin", waitFor: ".state dd" },
    { name: "notices", path: "/notices", waitFor: ".notice-list li" },
    { name: "people", path: "/people", waitFor: ".person button" },
    { name: "clubs", path: "/clubs", waitFor: ".club-row a" },
    {
      name: "a club, as its officer",
      path: "/club/stones",
      waitFor: "input[name=invited]",
      open: ["details.card summary", "details.card input[name=why]"],
    },
    {
      name: "a report of a club",
      path: "/club/wachezaji-wa-mawe-1",
      waitFor: "details.card",
      open: ["details.card summary", "details.card textarea"],
    },
    { name: "a club match, as an officer", path: `/club-match/${clubMatch}`, waitFor: ".actions button" },
    { name: "events", path: "/events", waitFor: ".event-card a" },
    { name: "an event to come", path: `/event/${events.coming}`, waitFor: ".event-join button" },
    { name: "an event that runs", path: `/event/${events.running}`, waitFor: ".standings tbody tr" },
    { name: "the form for an event", path: "/new-event", waitFor: ".new-event", open: ["input[value=swiss]", ".event-entry summary"] },
    { name: "the form for a series", path: "/new-event", waitFor: ".new-event", open: ["input[value=series]"] },
    { name: "a series that runs", path: `/event/${events.series}`, waitFor: ".event-score" },
    {
      name: "a class, as its teacher",
      path: "/club/darasa-la-nne-b-2026",
      waitFor: "input[name=invited]",
      open: [".pupil details summary", ".new-pupils summary"],
    },
    {
      name: "login cards",
      path: "/club/darasa-la-nne-b-2026",
      waitFor: "input[name=invited]",
      open: ["input[name=all-pupils]", ".new-cards", ".new-cards", ".login-card"],
    },
    { name: "an access for a program", path: accessPath(), waitFor: ".authorize .allow" },
    { name: "settings of an account", path: "/settings", waitFor: ".account-parts #delete" },
  ];
}

/** The wish of a program for every right, at a host with a long name. */
function accessPath() {
  const wish = {
    response_type: "code",
    client_id: "a-program-with-a-long-name-of-its-own-0123456789",
    redirect_uri: "https://games-of-stones-and-seeds-from-everywhere.example.org:8443/done",
    scope: "read play challenge",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  };
  return `/oauth/authorize?${new URLSearchParams(wish)}`;
}

/** A recorded game with branches, in the part of an address that no server sees. @param {import("../../static/games/types.js").Game} game */
function analysisPath(game) {
  const moves = recorded(game).moves.split(" ").slice(0, 24);
  return `/analysis#${new URLSearchParams({ game: game.id, moves: moves.join(" "), first: MODERATOR, second: OPPONENT, ply: "5" })}`;
}

/** Begins a game on this device. @param {Page} page */
async function beginHere(page) {
  await follow(page, "/play");
  await page.locator("input[name=here]").check();
  await page.locator("form .primary").click();
  await page.waitForURL("**/device/*");
  await playFirst(page);
  return new URL(page.url()).pathname;
}

/** Begins a match with clocks against the computer. @param {Page} page */
async function beginTimed(page) {
  const { id } = await ask(page, "POST", "/matches", { game: "kalah", level: 1, side: "first", time_control: RAPID });
  return `/match/${id}`;
}
