// @ts-check
// Runs before the first paint, as the only script that is not a module: a dark page must not flash light, and the texts and the modules of
// the opened page must be requested with everything else. `core/settings.js` writes the settings, `core/i18n.js` chooses the language by
// the same rule.
try {
  const chosen = JSON.parse(localStorage.getItem("mawe.settings") ?? "{}");
  // A default value sets no attribute, also where it was chosen.
  const usual = { theme: "system", board: "wood", pieces: "natural", motion: "normal" };
  for (const [name, value] of Object.entries(usual))
    if (chosen[name] && chosen[name] !== value) document.documentElement.dataset[name] = String(chosen[name]);
} catch {}
{
  let stored = null;
  try {
    stored = localStorage.getItem("mawe.language");
  } catch {}
  const wished = [stored, ...navigator.languages].map((tag) => (tag ?? "").toLowerCase().split("-")[0] ?? "");
  const language = wished.find((tag) => ["en", "sw", "pl", "ml"].includes(tag)) ?? "en";
  // The first words in the document are in the language that the browser prefers.
  if (document.documentElement.lang !== language) document.documentElement.classList.add("other-words");
  document.documentElement.lang = language;
  // Then the catalogue in the document is in another language, too.
  if (document.documentElement.dataset.words !== language) ahead(`/i18n/${language}.json`);
}
{
  // By the first part of the address; `tests/preload.test.js` checks that the lists are complete, and no longer than needed.
  const views = {
    "": ["home", "device-list", "match-options", "new-match", "seeks", "local/store"],
    about: ["about"],
    analysis: [
      "analysis/analyst",
      "analysis/branches",
      "analysis/graph",
      "analysis/pdn",
      "analysis/played",
      "analysis/ready",
      "analysis/records",
      "analysis/table",
      "analysis/tree",
      "analysis/verdict",
      "analysis/view",
      "analysis/writing",
      "engine/engine",
      "local/referee",
      "local/seen",
      "local/store",
      "wasm/rules",
    ],
    challenge: ["challenge"],
    device: ["device", "engine/engine", "local/device", "local/line", "local/referee", "local/store", "wasm/rules"],
    learn: [
      "analysis/ready",
      "learn/goals",
      "learn/progress",
      "learn/run",
      "learn/task",
      "learn/view",
      "local/line",
      "local/referee",
      "local/store",
      "wasm/rules",
    ],
    login: ["account"],
    moderation: ["moderation", "form"],
    player: ["player", "chart", "history"],
    players: ["players", "player-search"],
    register: ["account"],
    rules: [
      "games/lessons/checkers",
      "games/lessons/congkak",
      "games/lessons/kalah",
      "games/lessons/mawe",
      "games/lessons/oware",
      "games/lessons/reversi",
      "games/pictures",
      "rules",
    ],
    settings: ["settings", "account-settings", "calls", "form", "net/calls"],
    watch: ["watch", "small-board"],
  };
  const [, first, id] = location.pathname.split("/");
  const named = Object.entries(views).find(([word]) => word === first);
  for (const view of named?.[1] ?? []) {
    document.head.append(
      Object.assign(document.createElement("link"), {
        rel: "modulepreload",
        href: view.includes("/") ? `/${view}.js` : `/views/${view}.js`,
      }),
    );
  }
  // The state of a match is shown before the live connection is open.
  if (first === "match" && id) ahead(`/api/v1/matches/${id}`);
}

/** Requests a file that a script will fetch later. @param {string} href */
function ahead(href) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", href }));
}
