// @ts-check
// Before the first paint, the one script that is not a module: a dark page must not flash light, and the words must be on their way with
// everything else. `core/settings.js` writes what it reads, `core/i18n.js` chooses the language as it does.
try {
  const { theme, board, pieces, motion } = JSON.parse(localStorage.getItem("mawe.settings") ?? "{}");
  const shown = { theme: theme === "system" ? undefined : theme, board, pieces, motion };
  for (const [name, value] of Object.entries(shown)) if (value) document.documentElement.dataset[name] = String(value);
} catch {}
{
  let stored = null;
  try {
    stored = localStorage.getItem("mawe.language");
  } catch {}
  const wished = [stored, ...navigator.languages].map((tag) => (tag ?? "").toLowerCase().split("-")[0] ?? "");
  const language = wished.find((tag) => ["en", "sw", "pl", "ml"].includes(tag)) ?? "en";
  document.documentElement.lang = language;
  const words = document.createElement("link");
  Object.assign(words, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `/i18n/${language}.json` });
  document.head.append(words);
}
