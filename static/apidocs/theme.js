// @ts-check
// Runs before the first paint: the reader's choice of a theme, as `core/settings.js` writes it. The page is in English whatever the reader's language,
// so the script of the other pages, which chooses one, is not for it.
try {
  const { theme } = JSON.parse(localStorage.getItem("mawe.settings") ?? "{}");
  if (theme && theme !== "system") document.documentElement.dataset.theme = String(theme);
} catch {}
