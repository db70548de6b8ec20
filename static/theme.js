// @ts-check
// Before the first paint, so that a dark page does not flash light: the one script that is not a module. `core/settings.js` writes what
// it reads.
try {
  const { theme, board, pieces, motion } = JSON.parse(localStorage.getItem("mawe.settings") ?? "{}");
  const shown = { theme: theme === "system" ? undefined : theme, board, pieces, motion };
  for (const [name, value] of Object.entries(shown)) if (value) document.documentElement.dataset[name] = String(value);
} catch {}
