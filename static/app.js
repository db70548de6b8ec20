// @ts-check
// The page around the views: the player, the route, the language and the connection.

import { h, refresh } from "./core/dom.js";
import { loadStyle } from "./core/files.js";
import {
  addressedLanguage,
  chosenLanguage,
  currentLanguage,
  loadLanguage,
  loadPart,
  loadRest,
  onLanguage,
  preferredLanguage,
  t,
} from "./core/i18n.js";
import { newId } from "./core/id.js";
import { createRouter, match } from "./core/router.js";
import { readSettings, setting } from "./core/settings.js";
import { sound } from "./core/sound.js";
import { keepFiles, reloadForFiles, takeNewer } from "./local/version.js";
import { getMyChallenges } from "./net/api.js";
import { createLobby } from "./net/lobby.js";
import { createSession } from "./net/session.js";
import { browserWorld, createLine } from "./net/socket.js";
import { bannerLine } from "./views/banner.js";
import { noticeSlot } from "./views/notice-slot.js";
import { nothingHere } from "./views/parts/nothing-here.js";
import { siteHeader } from "./views/site-header.js";
import { declinedText } from "./views/texts.js";

/** @import { Params } from "./core/router.js" */
/** @import { Language } from "./core/types.js" */
/** @import { Context, View, ViewMaker } from "./views/context.js" */

/** Loads a view, with all that it must have before it is shown, such as the game whose board it draws. @typedef {(params: Params) => Promise<ViewMaker>} ViewLoader */

/**
 * A view with a style sheet that is not in the document.
 * @param {string} sheet in `css/`
 * @param {ViewLoader} load
 * @returns {ViewLoader}
 */
const styled = (sheet, load) => async (params) => (await Promise.all([load(params), loadStyle(sheet)]))[0];

/**
 * A view with texts that are not in the catalogue of the document.
 * @param {string} part
 * @param {ViewLoader} load
 * @returns {ViewLoader}
 */
const worded = (part, load) => async (params) => (await Promise.all([load(params), loadPart(part)]))[0];

/** A view with both, by the same name. @param {string} name @param {ViewLoader} load */
const apart = (name, load) => worded(name, styled(name, load));

// Files that every page or a match needs are requested with the document, those of the page that is opened by `theme.js`; the others when
// the reader goes to their page.
/** @type {import("./core/router.js").Route<ViewLoader>[]} */
const ROUTES = [
  { pattern: "/", view: async () => (await import("./views/home.js")).homeView },
  { pattern: "/play", view: worded("play", async (params) => (await import("./views/play.js")).playPage(params)) },
  { pattern: "/play/:game", view: worded("play", async (params) => (await import("./views/play.js")).playPage(params)) },
  { pattern: "/match/:id", view: async () => (await import("./views/match.js")).matchView },
  { pattern: "/device/:id", view: async () => (await import("./views/device.js")).deviceView },
  { pattern: "/challenge/:id", view: async () => (await import("./views/challenge.js")).challengeView },
  { pattern: "/player/:name", view: apart("player", async () => (await import("./views/player.js")).playerView) },
  { pattern: "/player/:name/report", view: worded("report", async () => (await import("./views/report.js")).reportView) },
  { pattern: "/moderation", view: apart("moderation", async () => (await import("./views/moderation.js")).moderationView) },
  {
    pattern: "/admin",
    view: worded(
      "admin",
      apart("moderation", async () => (await import("./views/admin.js")).adminView),
    ),
  },
  {
    pattern: "/invitations",
    view: worded(
      "invitations",
      apart("player", async () => (await import("./views/invitations.js")).invitationsView),
    ),
  },
  { pattern: "/players", view: styled("player", async () => (await import("./views/players.js")).playersView) },
  { pattern: "/players/:game", view: styled("player", async () => (await import("./views/players.js")).playersView) },
  {
    pattern: "/people",
    view: worded(
      "people",
      apart("player", async () => (await import("./views/people.js")).peopleView),
    ),
  },
  {
    pattern: "/clubs",
    view: worded(
      "clubs",
      apart("player", async () => (await import("./views/clubs.js")).clubsView),
    ),
  },
  {
    pattern: "/club/:handle",
    view: worded(
      "clubs",
      apart("player", async () => (await import("./views/club.js")).clubView),
    ),
  },
  {
    pattern: "/club-match/:id",
    view: worded(
      "clubs",
      apart("player", async () => (await import("./views/club-match.js")).clubMatchView),
    ),
  },
  { pattern: "/events", view: apart("events", async () => (await import("./views/events.js")).eventsView) },
  { pattern: "/event/:id", view: apart("events", async () => (await import("./views/event.js")).eventView) },
  { pattern: "/new-event", view: apart("events", async () => (await import("./views/new-event.js")).newEventView) },
  { pattern: "/watch", view: styled("watch", async () => (await import("./views/watch.js")).watchPage()) },
  { pattern: "/learn", view: styled("study", async () => (await import("./learn/view.js")).learnView) },
  { pattern: "/learn/:game", view: styled("study", async () => (await import("./learn/view.js")).learnView) },
  { pattern: "/learn/:game/:task", view: styled("study", async () => (await import("./learn/view.js")).learnView) },
  { pattern: "/analysis", view: styled("study", async () => (await import("./analysis/view.js")).analysisView) },
  { pattern: "/analysis/:id", view: styled("study", async () => (await import("./analysis/view.js")).analysisView) },
  { pattern: "/analysis/device/:device", view: styled("study", async () => (await import("./analysis/view.js")).analysisView) },
  { pattern: "/rules/:game", view: apart("rules", async (params) => (await import("./views/rules.js")).rulesPage(params)) },
  { pattern: "/editor/:game", view: apart("editor", async (params) => (await import("./editor/view.js")).editorPage(params)) },
  { pattern: "/login", view: async () => (await import("./views/account.js")).logInView },
  { pattern: "/login-card", view: apart("class", async () => (await import("./views/login-card.js")).loginCardView) },
  { pattern: "/confirm-email", view: worded("email", async () => (await import("./views/mail-links.js")).confirmEmailView) },
  { pattern: "/reset-password", view: worded("email", async () => (await import("./views/mail-links.js")).resetPasswordView) },
  { pattern: "/register", view: async () => (await import("./views/account.js")).registerView },
  { pattern: "/oauth/authorize", view: apart("oauth", async () => (await import("./views/authorize.js")).authorizeView) },
  { pattern: "/notices", view: apart("notices", async () => (await import("./views/notice-list.js")).noticesView) },
  { pattern: "/settings", view: apart("settings", async () => (await import("./views/settings.js")).settingsPage()) },
  { pattern: "/about", view: worded("about", async () => (await import("./views/about.js")).aboutView) },
];

/** Whether a page can be shown without the rest of the texts: the front page, and a match that begins. @param {string} path */
const isSpare = (path) => path === "/" || path.startsWith("/match/");

/** The game whose rules the footer links to. */
const TITLE_GAME = "mawe";

const main = h("main", { id: "main" });
const voice = h("div", { class: "visually-hidden", "aria-live": "polite", "aria-atomic": "false", role: "status" });

/** The number of sentences kept for the screen reader; older ones have been read out. */
const SENTENCES = 4;

const line = createLine({ ...browserWorld(), newId });
const session = createSession(() => line.reopen());
const lobby = createLobby(line, () => performance.now());

/** @type {View | null} */
let view = null;
/** Counts the pages shown, so that a slow one does not replace a later one. */
let visits = 0;

const router = createRouter((path) => void show(path));

/** Leads from a path that the reader may not see, and returns whether it has. @type {(path: string) => boolean} */
let isShut = () => false;

/** @type {Context} */
const ctx = {
  line,
  session,
  lobby,
  go: router.go,
  speak,
  logOut,
  announce(text) {
    // A text that is not there yet.
    if (text === "") return;
    // The same text twice is announced twice, and texts that come at the same time do not interrupt each other.
    voice.append(h("p", {}, text));
    while (voice.children.length > SENTENCES) voice.firstElementChild?.remove();
  },
};

/** @param {string} path */
async function show(path) {
  if (isShut(path)) return;
  const visit = ++visits;
  if (await takeNewer(path)) return location.reload();
  const found = match(ROUTES, path);
  const loading = found && Promise.all([found.view(found.params), isSpare(path) ? null : loadRest()]);
  const make = loading ? await loading.then(([maker]) => maker).catch(() => null) : null;
  if (visit !== visits) return;
  if (found && !make && reloadForFiles()) return;
  view?.destroy?.();
  const isReadable = main.classList.contains("early") && !document.documentElement.classList.contains("other-words");
  if (found && make) view = make(ctx, found.params, isReadable ? main.firstElementChild : null);
  else if (found) view = { el: nothingHere(() => t("problem.offline")), title: () => t("missing.title") };
  else view = { el: nothingHere(() => t("missing.page")), title: () => t("missing.title") };
  main.replaceChildren(view.el);
  main.classList.remove("early");
  titled();
  refresh(header);
  // Tells a screen reader the new page's title; it reads the first page from the top anyway.
  if (visit > 1) main.querySelector("h1")?.focus({ preventScroll: true });
}

function titled() {
  const title = view?.title() ?? "";
  const site = document.documentElement.dataset.site ?? "Mawe!";
  document.title = location.pathname === "/" ? `${site} – ${title}` : title ? `${title} · ${site}` : site;
}

/** Changes the language by the reader's choice, also in the account. @param {Language} next */
async function speak(next) {
  await loadLanguage(next, { remember: true });
  // The choice comes after the address.
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  if (isAddressed) history.replaceState(null, "", address);
  isAddressed = false;
  await session.speak(next);
}

/** Whether the language is that of the address of this visit, and not the reader's own choice. */
let isAddressed = addressedLanguage() !== undefined;

/** Applies the language stored in the account; an account without one stores the language chosen on this device. */
async function speakAsKept() {
  if (isAddressed) return;
  const kept = session.language();
  if (kept === null && session.player() && chosenLanguage() !== null) await session.speak(currentLanguage());
  else if (kept !== null && kept !== currentLanguage()) await loadLanguage(kept, { remember: true }).catch(() => {});
}

/** @type {Context["logOut"]} */
async function logOut({ end, stays = false } = {}) {
  const seen = await import("./local/seen.js").catch(() => null);
  lobby.leave();
  await session.logOut(end);
  // Nothing is awaited from here on: a reader who has already gone to another page would be called back from it.
  seen?.createSeen(localStorage).clear();
  if (!stays) router.go("/");
}

const header = siteHeader(ctx);

addEventListener("storage", readSettings);

const footer = h(
  "footer",
  { class: "site" },
  h(
    "nav",
    { "aria-label": () => t("menu.more") },
    h("a", { href: `/rules/${TITLE_GAME}` }, () => t("menu.rules")),
    h("a", { href: "/analysis" }, () => t("menu.analysis")),
    h("a", { href: "/about" }, () => t("about.title")),
    h("a", { href: "/settings" }, () => t("settings.title")),
    h("a", { href: "/api/docs" }, () => t("about.api")),
  ),
);

const news = noticeSlot(ctx);
const banner = bannerLine();

/** Gives the page what the operator has chosen for this site, where that is anything. */
async function furnish() {
  if (session.site())
    isShut = await import("./views/site.js").then(
      ({ furnish }) => furnish(ctx, header, footer),
      () => isShut,
    );
}

lobby.onPaired(({ match, mine, challenge }) => {
  sound("begin");
  // The tab that asked goes to the match; another tab shows a notice, unless it shows a match already.
  if ([`/match/${match}`, `/challenge/${challenge}`].includes(location.pathname)) return;
  if (mine) router.go(`/match/${match}`);
  else if (!location.pathname.startsWith("/match/"))
    news.tell({ text: () => t(challenge ? "challenge.accepted" : "pool.begun"), href: `/match/${match}` });
});

line.onMessage((msg) => {
  if (msg.t === "challenge") sound("challenge");
  if (msg.t !== "event-paired") return;
  sound("begin");
  void import("./views/event-begun.js").then(({ openEventMatch }) => openEventMatch(msg, ctx, news.tell)).catch(() => {});
});

line.onMessage((msg) => {
  if (msg.t !== "challenge-gone" || msg.status !== "declined" || location.pathname === `/challenge/${msg.challenge}`) return;
  const { reason } = msg;
  // The player who declined receives this message too; only the tab that made the challenge shows it.
  if (lobby.isMade(msg.challenge)) news.tell({ text: () => declinedText(reason), href: null });
});

line.onStatus(async (status) => {
  if (status !== "open") return;
  // A page opened without a network does not know its player yet.
  if (!isAsked) await askWho();
  if (!session.player()) return lobby.take([]);
  // Notices may have come meanwhile; those of moderators are shown at once.
  void import("./views/bell.js").then(({ ring }) => ring(ctx, header, news.hear)).catch(() => {});
  // Challenges may have come while the connection was down.
  await getMyChallenges().then(
    ({ incoming }) => lobby.take(incoming),
    () => {},
  );
});

line.onStatus(() => refresh(header));
session.onChange(() => {
  refresh(header);
  void furnish();
});
onLanguage(() => {
  document.documentElement.lang = currentLanguage();
  refresh(document.body);
  titled();
});

/** Renews the subscription to push messages where this device has it switched on: for the current player and language. */
function stayCalled() {
  if (setting("calls") !== "on" || !session.player()) return;
  // A failure is retried at the next visit.
  void import("./net/calls.js").then((calls) => calls.stayCalled()).catch(() => {});
}

// The network changed, or the reader returned to the page: check the connection at once.
addEventListener("online", line.wake);
addEventListener("offline", line.wake);
addEventListener("pageshow", (event) => event.persisted && line.wake());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && line.wake());

/** Whether the server has told the page its player. */
let isAsked = false;

async function askWho() {
  await session.load().then(
    () => {
      isAsked = true;
    },
    () => {},
  );
}

/** The time to wait for an answer: without one the page starts all the same, because it can be used without a network. */
const PATIENCE_MS = 3_000;
/** The same where the page's files are on the device: about the time that most answers take. A later answer is shown when it comes. */
const KEPT_PATIENCE_MS = 500;
/** @param {Promise<unknown>} answer */
const orGoOn = (answer) =>
  Promise.race([
    answer,
    new Promise((resolve) => setTimeout(resolve, navigator.serviceWorker?.controller ? KEPT_PATIENCE_MS : PATIENCE_MS)),
  ]);

/** The delay after the first page before the service worker is registered, which stores the page's files. */
const KEEP_AFTER_MS = 3_000;

async function begin() {
  // The first words of the page, which the document contains where the operator has no banner.
  const early = document.querySelector("main");
  line.start();
  // Every document but that of the front page has all the texts.
  const texts = loadLanguage(preferredLanguage(), { whole: location.pathname !== "/" }).catch(() => loadLanguage("en"));
  // The view's module is loaded while the texts are, and its own texts in the language that is asked for now; `show` handles a failure.
  const first = match(ROUTES, location.pathname);
  void first?.view(first.params).catch(() => {});
  await Promise.all([
    texts,
    // Without an answer there is no player yet; the indicator in the header shows when the server is back.
    orGoOn(
      session.begin().then(
        () => {
          isAsked = true;
        },
        () => {},
      ),
    ),
    // Shown with the first content or not at all, so that nothing moves down later.
    early ? null : orGoOn(banner.load()),
  ]);
  // Before the first content, where the answer has come by now.
  await furnish();
  await speakAsKept();
  session.onChange(() => void speakAsKept());
  // Another player may see another banner, or none.
  session.onChange(() => void banner.load());
  // The first words stay until the view shows the same.
  main.classList.add("early");
  main.append(...(early?.childNodes ?? []));
  document.body.replaceChildren(header, banner.el, news.el, main, footer, voice);
  // Parts that were built before the language was loaded need it too.
  refresh(document.body);
  await show(location.pathname);
  // After everything that is visible: the other files are twice as large again.
  setTimeout(() => {
    void loadRest();
    stayCalled();
    session.onChange(stayCalled);
    onLanguage(stayCalled);
    if (navigator.onLine) void keepFiles();
    else addEventListener("online", () => void keepFiles(), { once: true });
  }, KEEP_AFTER_MS);
}

void begin();
