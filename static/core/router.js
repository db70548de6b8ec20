// @ts-check
// Maps paths to views. A pattern is a path with `:name` parts; links inside the page are followed without a reload.

/** @typedef {Record<string, string>} Params */
/**
 * @template T
 * @typedef {{ pattern: string, view: T }} Route
 */

/**
 * The route of a path, with the values of its `:name` parts.
 * @template T
 * @param {readonly Route<T>[]} routes
 * @param {string} path
 * @returns {{ view: T, params: Params } | null}
 */
export function match(routes, path) {
  const parts = split(path);
  for (const { pattern, view } of routes) {
    const wanted = split(pattern);
    if (wanted.length !== parts.length) continue;
    /** @type {Params} */
    const params = {};
    const fits = wanted.every((want, i) => {
      const part = /** @type {string} */ (parts[i]);
      if (!want.startsWith(":")) return want === part;
      const value = decode(part);
      if (value === null) return false;
      params[want.slice(1)] = value;
      return true;
    });
    if (fits) return { view, params };
  }
  return null;
}

/**
 * Follows the address: calls `show` with the path at every change of it.
 * @param {(path: string) => void} show
 * @returns {{ go: (path: string, options?: { replace?: boolean }) => void }}
 */
export function createRouter(show) {
  /** @type {(path: string, options?: { replace?: boolean }) => void} */
  const go = (path, { replace = false } = {}) => {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    show(location.pathname);
    scrollTo(0, 0);
  };
  addEventListener("popstate", () => show(location.pathname));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
  return { go };
}

/** @param {string} path */
const split = (path) => path.split("/").filter(Boolean);

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
