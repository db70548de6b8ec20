// @ts-check
// The page: who we are, where we are, in which language, and whether the line is open.

import { h, refresh } from "./core/dom.js";
import { chosenLanguage, currentLanguage, LANGUAGES, loadLanguage, onLanguage, preferredLanguage, t } from "./core/i18n.js";
import { newId } from "./core/id.js";
import { createRouter, match } from "./core/router.js";
import { readSettings, setSetting, setting } from "./core/settings.js";
import { sound } from "./core/sound.js";
import { keepFiles, takeNewer } from "./local/version.js";
import { getMyChallenges, getMyNotices } from "./net/api.js";
import { createLobby } from "./net/lobby.js";
import { createSession } from "./net/session.js";
import { browserWorld, createLine } from "./net/socket.js";
import { bannerLine } from "./views/banner.js";
import { notices } from "./views/notices.js";
import { declinedText, nothingHere, playerPath } from "./views/parts.js";

/** @import { Language } from "./core/types.js" */
/** @import { Context, View, ViewMaker } from "./views/context.js" */

// What every page needs, and a match, is asked for with the document (`modulepreload` in it), and what a page has for itself by `theme.js`
// as it opens; the rest when somebody goes there.
/** @type {import("./core/router.js").Route<() => Promise<ViewMaker> | ViewMaker>[]} */
const ROUTES = [
  { pattern: "/", view: async () => (await import("./views/home.js")).homeView },
  { pattern: "/match/:id", view: async () => (await import("./views/match.js")).matchView },
  { pattern: "/device/:id", view: async () => (await import("./views/device.js")).deviceView },
  { pattern: "/challenge/:id", view: async () => (await import("./views/challenge.js")).challengeView },
  { pattern: "/player/:name", view: async () => (await import("./views/player.js")).playerView },
  { pattern: "/player/:name/report", view: async () => (await import("./views/report.js")).reportView },
  { pattern: "/moderation", view: async () => (await import("./views/moderation.js")).moderationView },
  { pattern: "/players", view: async () => (await import("./views/players.js")).playersView },
  { pattern: "/players/:game", view: async () => (await import("./views/players.js")).playersView },
  { pattern: "/watch", view: async () => (await import("./views/watch.js")).watchView },
  { pattern: "/learn", view: async () => (await import("./learn/view.js")).learnView },
  { pattern: "/learn/:game", view: async () => (await import("./learn/view.js")).learnView },
  { pattern: "/learn/:game/:task", view: async () => (await import("./learn/view.js")).learnView },
  { pattern: "/analysis", view: async () => (await import("./analysis/view.js")).analysisView },
  { pattern: "/analysis/:id", view: async () => (await import("./analysis/view.js")).analysisView },
  { pattern: "/analysis/device/:device", view: async () => (await import("./analysis/view.js")).analysisView },
  { pattern: "/rules/:game", view: async () => (await import("./views/rules.js")).rulesView },
  { pattern: "/login", view: async () => (await import("./views/account.js")).logInView },
  { pattern: "/register", view: async () => (await import("./views/account.js")).registerView },
  { pattern: "/settings", view: async () => (await import("./views/settings.js")).settingsView },
  { pattern: "/about", view: async () => (await import("./views/about.js")).aboutView },
];

/** The game that the menu's links lead to. */
const TITLE_GAME = "mawe";

const main = h("main", { id: "main" });
const voice = h("div", { class: "visually-hidden", "aria-live": "polite", "aria-atomic": "false", role: "status" });

/** So many sentences wait to be read out; older ones have been. */
const SENTENCES = 4;

const line = createLine({ ...browserWorld(), newId });
const session = createSession(() => line.reopen());
const lobby = createLobby(line, () => performance.now());

/** @type {View | null} */
let view = null;
/** Counts the pages shown, so that a slow one does not replace a later one. */
let visits = 0;

const router = createRouter((path) => void show(path));

/** @type {Context} */
const ctx = {
  line,
  session,
  lobby,
  go: router.go,
  speak,
  announce(text) {
    // The same words twice must be heard twice, and what comes at once must not take the word from what came before.
    voice.append(h("p", {}, text));
    while (voice.children.length > SENTENCES) voice.firstElementChild?.remove();
  },
};

/** @param {string} path */
async function show(path) {
  const visit = ++visits;
  if (await takeNewer(path)) return location.reload();
  const found = match(ROUTES, path);
  const make = found ? await Promise.resolve(found.view()).catch(() => null) : null;
  if (visit !== visits) return;
  view?.destroy?.();
  if (found && make) view = make(ctx, found.params);
  else if (found) view = { el: nothingHere(() => t("problem.offline")), title: () => t("missing.title") };
  else view = { el: nothingHere(() => t("missing.page")), title: () => t("missing.title") };
  main.replaceChildren(view.el);
  main.classList.remove("early");
  titled();
  refresh(header);
  // Those who listen are told where they are; the first page is read from its top anyway.
  if (visit > 1) main.querySelector("h1")?.focus({ preventScroll: true });
}

function titled() {
  const title = view?.title() ?? "";
  document.title = title ? `${title} · Mawe!` : "Mawe!";
}

// The header.

const player = () => session.player();
const here = () => encodeURIComponent(location.pathname);

const languages = h(
  "select",
  {
    "aria-label": () => t("menu.language"),
    value: () => currentLanguage(),
    onchange: () => void speak(/** @type {Language} */ (languages.value)).catch(() => refresh(header)),
  },
  Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag }, name)),
);

const header = h(
  "header",
  { class: "site" },
  h("a", { class: "skip", href: "#main" }, () => t("menu.skip")),
  h("a", { class: "brand", href: "/" }, h("span", { class: "brand-mark", "aria-hidden": "true" }), "Mawe!"),
  h(
    "nav",
    { "aria-label": () => t("menu.title") },
    h("a", { href: "/watch" }, () => t("menu.watch")),
    h("a", { href: "/players" }, () => t("menu.players")),
    h("a", { href: "/learn" }, () => t("menu.learn")),
    h("a", { class: "wide", href: "/analysis" }, () => t("menu.analysis")),
    h("a", { href: "/moderation", hidden: () => !session.moderator() }, () => t("moderation.title")),
  ),
  h(
    "div",
    { class: "tools" },
    h("span", { class: () => `line ${line.status()}`, role: "img", title: lineText, "aria-label": lineText }),
    languages,
    h(
      "button",
      { type: "button", class: "icon theme", onclick: turnTheme, title: () => t("menu.theme"), "aria-label": () => t("menu.theme") },
      h("span", { class: "sign sun", "aria-hidden": "true" }),
    ),
    h(
      "a",
      { class: "button icon", href: "/settings", title: () => t("settings.title"), "aria-label": () => t("settings.title") },
      h("span", { class: "sign sliders", "aria-hidden": "true" }),
    ),
    h(
      "a",
      {
        class: () => `me ${player()?.kind ?? ""}`,
        href: () => (player() ? playerPath(/** @type {import("./core/types.js").PlayerRef} */ (player())) : "/"),
        hidden: () => player() === null,
      },
      () => player()?.name ?? "",
    ),
    h("a", { href: () => `/register?next=${here()}`, hidden: () => player()?.kind === "account" }, () => t("account.register")),
    h("a", { href: () => `/login?next=${here()}`, hidden: () => player() !== null && player()?.kind !== "guest" }, () =>
      t("account.log-in"),
    ),
    h("button", { type: "button", class: "plain", hidden: () => player()?.kind !== "account", onclick: logOut }, () =>
      t("account.log-out"),
    ),
  ),
);

/** What the reader chooses; an account keeps it. @param {Language} next */
async function speak(next) {
  await loadLanguage(next, { remember: true });
  await session.speak(next);
}

/** What an account keeps is spoken wherever its owner logs in; one that keeps nothing yet learns what was chosen here. */
async function speakAsKept() {
  const kept = session.language();
  if (kept === null && session.player() && chosenLanguage() !== null) await session.speak(currentLanguage());
  else if (kept !== null && kept !== currentLanguage()) await loadLanguage(kept, { remember: true }).catch(() => {});
}

function lineText() {
  return t(`line.${line.status()}`);
}

async function logOut() {
  try {
    lobby.leave();
    await session.logOut();
    await import("./local/seen.js").then(({ createSeen }) => createSeen(localStorage).clear()).catch(() => {});
    router.go("/");
  } catch {
    ctx.announce(t("problem.offline"));
  }
}

// Light or dark: the system's choice until the reader makes one.

function turnTheme() {
  const dark = setting("theme") === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : setting("theme") === "dark";
  setSetting("theme", dark ? "light" : "dark");
}

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

const news = notices(ctx);
const banner = bannerLine();

lobby.onPaired(({ match, mine, challenge }) => {
  sound("begin");
  // The page that asked goes there; another says so, unless it shows a match already.
  if ([`/match/${match}`, `/challenge/${challenge}`].includes(location.pathname)) return;
  if (mine) router.go(`/match/${match}`);
  else if (!location.pathname.startsWith("/match/"))
    news.tell({ text: () => t(challenge ? "challenge.accepted" : "pool.begun"), href: `/match/${match}` });
});

line.onMessage((msg) => {
  if (msg.t === "notice") news.hear([msg.notice]);
  // The name in the header is another.
  if (msg.t === "notice" && msg.notice.kind === "renamed") void session.load().catch(() => {});
});

line.onMessage((msg) => {
  if (msg.t !== "challenge-gone" || msg.status !== "declined" || location.pathname === `/challenge/${msg.challenge}`) return;
  const { reason } = msg;
  // Who has declined it hears of it, too: only the page that asked says so.
  if (lobby.isMade(msg.challenge)) news.tell({ text: () => declinedText(reason), href: null });
});

line.onStatus(async (status) => {
  if (status !== "open") return;
  // Opened without a network, the page has not heard yet who it speaks for.
  if (!isAsked) await askWho();
  if (!session.player()) return lobby.take([]);
  // A moderator may have had a word meanwhile.
  void getMyNotices().then(
    ({ items }) => news.hear(items),
    () => {},
  );
  // Who was away may have been challenged meanwhile.
  await getMyChallenges().then(
    ({ incoming }) => lobby.take(incoming),
    () => {},
  );
});

line.onStatus(() => refresh(header));
session.onChange(() => refresh(header));
onLanguage(() => {
  document.documentElement.lang = currentLanguage();
  refresh(document.body);
  titled();
});

/** Who wants to be called on this device is, whoever they are now, and in their language. */
function stayCalled() {
  if (setting("calls") !== "on" || !session.player()) return;
  // What fails is tried with the next visit.
  void import("./net/calls.js").then((calls) => calls.stayCalled()).catch(() => {});
}

// The network came, or went, or somebody looks again: see at once whether the line still holds.
addEventListener("online", line.wake);
addEventListener("offline", line.wake);
addEventListener("pageshow", (event) => event.persisted && line.wake());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && line.wake());

/** Whether the server has said who we are. */
let isAsked = false;

async function askWho() {
  await session.load().then(
    () => {
      isAsked = true;
    },
    () => {},
  );
}

/** A network that neither answers nor fails does not keep the page from whoever can play without it. */
const PATIENCE_MS = 3_000;
/** Where the page is kept on the device it is there at once, and waits only as long as an answer mostly takes. What comes later is shown then. */
const KEPT_PATIENCE_MS = 500;
/** @param {Promise<unknown>} answer */
const orGoOn = (answer) =>
  Promise.race([
    answer,
    new Promise((resolve) => setTimeout(resolve, navigator.serviceWorker?.controller ? KEPT_PATIENCE_MS : PATIENCE_MS)),
  ]);

/** So long after the page is shown its files are kept on the device. */
const KEEP_AFTER_MS = 3_000;

async function begin() {
  // What the document says already; it does where the operator has no banner.
  const early = document.querySelector("main");
  line.start();
  // The page's own part is put together while the words are on their way; whether it could be had `show` sees.
  void Promise.resolve(match(ROUTES, location.pathname)?.view()).catch(() => {});
  await Promise.all([
    loadLanguage(preferredLanguage()).catch(() => loadLanguage("en")),
    // Without an answer we are nobody yet; the line says when the server is back.
    orGoOn(
      session.begin().then(
        () => {
          isAsked = true;
        },
        () => {},
      ),
    ),
    // With the first picture of the page or not at all: nothing moves down later.
    early ? null : orGoOn(banner.load()),
  ]);
  // Before anything is shown, where that is known by now.
  await speakAsKept();
  session.onChange(() => void speakAsKept());
  // Somebody else may see another, or none.
  session.onChange(() => void banner.load());
  // It stays until the page says the same.
  main.classList.add("early");
  main.append(...(early?.childNodes ?? []));
  document.body.replaceChildren(header, banner.el, news.el, main, footer, voice);
  // What came before the language, too.
  refresh(document.body);
  await show(location.pathname);
  // After what is seen, and what is fetched to be seen: it is twice as much again.
  setTimeout(() => {
    stayCalled();
    session.onChange(stayCalled);
    onLanguage(stayCalled);
    if (navigator.onLine) void keepFiles();
    else addEventListener("online", () => void keepFiles(), { once: true });
  }, KEEP_AFTER_MS);
}

void begin();
