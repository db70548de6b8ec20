// @ts-check
// Runs before the first paint, as the only script that is not a module: a dark page must not flash light, and the texts and the modules of
// the opened page must be requested with everything else. `core/settings.js` writes the settings, `core/i18n.js` chooses the language by
// the same rule.
try {
  const chosen = JSON.parse(localStorage.getItem("mawe.settings") ?? "{}");
  // A default value sets no attribute, also where it was chosen.
  if (!chosen.pieces && matchMedia("(forced-colors: active)").matches) chosen.pieces = "clear";
  const usual = { theme: "system", board: "wood", pieces: "natural", motion: "normal" };
  for (const [name, value] of Object.entries(usual))
    if (chosen[name] && chosen[name] !== value) document.documentElement.dataset[name] = String(chosen[name]);
} catch {}
{
  let stored = null;
  try {
    stored = localStorage.getItem("mawe.language");
  } catch {}
  // The address comes first: `?lang=pl`.
  const wished = [new URLSearchParams(location.search).get("lang"), stored, ...navigator.languages].map(
    (tag) => (tag ?? "").toLowerCase().split("-")[0] ?? "",
  );
  const language = wished.find((tag) => ["en", "sw", "pl", "ml"].includes(tag)) ?? "en";
  // The first words in the document are in the language of the address, or in the one that the browser prefers.
  if (document.documentElement.lang !== language) document.documentElement.classList.add("other-words");
  document.documentElement.lang = language;
  // Then the catalogue in the document is in another language, too.
  if (document.documentElement.dataset.words !== language) {
    ahead(addressOf(`i18n/${language}.json`));
    if (location.pathname !== "/") ahead(addressOf(`i18n/rest/${language}.json`));
  }
}
{
  // By the first part of the address, modules and a style sheet; a name without a folder, or with the folder `parts`, is one of `views/`.
  // `tests/preload.test.js` checks that the lists are complete, and no longer than needed.
  const views = {
    "": "home-tiles home last-choice my-matches parts/choice-row parts/empty-state parts/error-line parts/loaded parts/match-row seeks",
    about: "about site parts/loaded",
    admin:
      "css/moderation net/operator admin-now admin-state admin log-line parts/choice-row parts/error-line parts/loaded parts/match-row parts/paged parts/scrolled",
    analysis:
      "css/study analysis/branches analysis/chance-bar analysis/findings analysis/graph analysis/pdn analysis/records analysis/retry analysis/retry-part analysis/share analysis/shared analysis/shared-part analysis/state analysis/table analysis/view analysis/writing review/analyst net/analysis review/percent review/played review/ready review/scales review/tree review/verdict engine/engine local/referee local/seen local/store editor-path parts/error-line parts/scrolled wasm/rules",
    challenge: "challenge parts/error-line parts/qr-code",
    club: "css/player net/club-matches net/clubs club-matches club-parts club form parts/choice-row parts/closed-part parts/error-line parts/loaded parts/match-row parts/paged",
    "club-match": "css/player net/club-matches club-matches club-match club-parts form parts/choice-row parts/error-line parts/paged",
    clubs: "css/player net/clubs club-parts clubs form parts/choice-row parts/error-line parts/paged",
    editor:
      "css/editor editor/board editor/fault editor/palette editor/play editor/share editor/state editor/text-field editor/texts editor/view games/editing games/editing/piles local/referee editor-path last-choice parts/choice-row parts/error-line parts/game-links parts/side-picker parts/time-picker wasm/rules",
    events: "css/events net/events event-state event-texts events parts/empty-state",
    event:
      "css/events net/events event-actions event-board event-rounds event-standings event-state event-texts event series parts/qr-code parts/scrolled parts/turner small-board",
    "new-event":
      "css/events net/events event-texts last-choice new-event-repeat new-event-state new-event parts/choice-row parts/setup-picker parts/time-picker",
    device: "engine/engine local/device local/line local/manner local/referee local/store device wasm/rules",
    invitations: "css/player net/invitations form invitations parts/error-line parts/paged parts/qr-code",
    learn:
      "css/study review/ready learn/goals learn/progress learn/run learn/task-state learn/task learn/view local/referee parts/error-line parts/game-links wasm/rules",
    login: "net/account account appeal-form form site parts/error-line",
    "confirm-email": "net/email form mail-links parts/error-line",
    "reset-password": "net/email form mail-links parts/error-line",
    "login-card": "css/class net/classes form login-card parts/error-line parts/sheet",
    moderation: "css/moderation form log-line moderation parts/choice-row parts/closed-part parts/error-line parts/paged",
    player: "css/player chart history parts/loaded parts/match-row parts/scrolled player-activity player",
    play: "last-choice match-options new-match-state new-match parts/choice-row parts/empty-state parts/error-line parts/setup-picker parts/side-picker parts/time-picker play seeks",
    players: "css/player parts/choice-row parts/error-line parts/game-links parts/loaded parts/scrolled player-search players",
    register: "net/account account appeal-form form site parts/error-line",
    rules:
      "css/rules games/lessons/bao games/lessons/brazilian games/lessons/checkers games/lessons/congkak games/draughts-pictures games/draughts-turned games/lessons/drafti games/lessons/international games/lessons/kalah games/lessons/mawe games/lessons/oware games/lessons/pallanguzhi games/lessons/pool games/lessons/reversi games/lessons/russian games/pictures parts/error-line parts/game-links rules",
    oauth: "css/oauth net/oauth authorize parts/error-line parts/loaded",
    people: "css/player net/people parts/error-line parts/match-row parts/paged people",
    notices: "css/notices appeal-form decisions form notice-list notices parts/error-line",
    settings:
      "css/settings net/account net/calls account-settings calls form parts/choice-row parts/error-line parts/loaded look-settings settings",
    watch: "css/watch parts/choice-row parts/loaded parts/match-row small-board watch",
  };
  // The files of each game, for the pages that draw its board; other pages do without them.
  const games =
    "mawe+grid reversi+grid checkers+draughts drafti+draughts brazilian+draughts russian+draughts international+draughts pool+draughts kalah+sowing oware+sowing congkak+rounds+sowing bao+bao-sowing+bao-words+told-ply+ways+css/bao+i18n/bao pallanguzhi+rounds+sowing+css/pallanguzhi+i18n/pallanguzhi"
      .split(" ")
      .map((files) => files.split("+"));
  const [, first, id, task] = location.pathname.split("/");
  const named = Object.entries(views).find(([word]) => word === first);
  for (const file of named?.[1].split(" ") ?? []) {
    // Not applied yet: `base.css`, which comes first, puts the layers in order.
    if (file.startsWith("css/")) link({ rel: "preload", as: "style", href: addressOf(`${file}.css`) });
    else link({ rel: "modulepreload", href: addressOf(/^parts|^[^/]*$/.test(file) ? `views/${file}.js` : `${file}.js`) });
  }
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  /** Requests the files of a game, or of all games. @param {string | undefined} drawn */
  const draw = (drawn) => {
    for (const file of new Set(games.filter(([game]) => drawn === "all" || game === drawn).flat())) {
      const at = (/** @type {string} */ path) => new URL(path, src).href;
      if (file.startsWith("i18n/")) ahead(at(`${file}/${document.documentElement.lang}.json`));
      else if (file.startsWith("css/")) link({ rel: "preload", as: "style", href: at(`${file}.css`) });
      else link({ rel: "modulepreload", href: at(`games/${file}.js`) });
    }
  };
  if (first === "watch") draw("all");
  if (first === "rules" || first === "play" || first === "editor" || (first === "learn" && task)) draw(id);
  // The game of a match is named by the first content, which comes after this script and before the modules are run.
  if (first === "match")
    document.addEventListener(
      "readystatechange",
      () => draw(/** @type {HTMLElement | null} */ (document.querySelector(".match.early"))?.dataset.game),
      { once: true },
    );
  // The state of a match is shown before the live connection is open.
  if (first === "match" && id) ahead(`/api/v1/matches/${id}`);
}

/** The address of a file in the version of this script, as modules refer to each other. @param {string} path @returns {string} */
function addressOf(path) {
  return new URL(path, /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
}

/** Requests a file that a script will fetch later. @param {string} href */
function ahead(href) {
  link({ rel: "preload", as: "fetch", crossOrigin: "anonymous", href });
}

/** @param {Partial<HTMLLinkElement>} properties */
function link(properties) {
  document.head.append(Object.assign(document.createElement("link"), properties));
}

// A file of the document that could not be loaded is loaded again: a single answer may be lost, on a bad line or between a browser and its
// own store of files. `core/files.js` does the same for the files that are fetched later.
addEventListener(
  "error",
  (event) => {
    const { target } = event;
    if (target instanceof HTMLScriptElement) revive();
    else if (target instanceof HTMLLinkElement && target.rel === "stylesheet") {
      // The second failure is final; `core/files.js` loads its own links again.
      if (target.dataset.again !== undefined) return target.remove();
      // A new element: Chromium may leave one that has failed as it is, without a request or an event.
      const again = /** @type {HTMLLinkElement} */ (target.cloneNode());
      again.dataset.again = "";
      setTimeout(() => target.replaceWith(again), 500);
    }
  },
  true,
);

/** Loads the document again, without which a browser does not fetch a missing module again; never in exchange for the browser's own page. */
function revive() {
  const again = () => setTimeout(revive, 5_000);
  const last = "mawe.revived";
  let isTooSoon = true;
  try {
    isTooSoon = Date.now() - Number(sessionStorage.getItem(last)) < 5_000;
    if (!isTooSoon) sessionStorage.setItem(last, String(Date.now()));
  } catch {}
  if (isTooSoon) again();
  else if (navigator.serviceWorker?.controller) location.reload();
  else fetch(location.href, { method: "HEAD", cache: "no-store" }).then(() => location.reload(), again);
}
