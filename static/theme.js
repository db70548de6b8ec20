// @ts-check
// Before the first paint, so that a dark page does not flash light: the one script that is not a module.
try {
  const theme = localStorage.getItem("mawe.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}
