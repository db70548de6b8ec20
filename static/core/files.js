// @ts-check
// The page's own files that are fetched while it runs. A single answer may be lost, on a bad line or between a browser and its own store
// of files, so each is asked for once more. `theme.js` does the same for the files of the document.

/** The delay before a file is asked for again. */
const AGAIN_MS = 500;

/**
 * Runs a task, and after a failure once more.
 * @template T
 * @param {() => Promise<T>} task
 * @returns {Promise<T>}
 */
export async function twice(task) {
  try {
    return await task();
  } catch {
    await new Promise((passed) => setTimeout(passed, AGAIN_MS));
    return task();
  }
}

/** The style sheets that are loaded, or being loaded, by name. @type {Map<string, Promise<void>>} */
const styles = new Map();

/**
 * Loads a style sheet of `css/`, once.
 * @param {string} name
 * @returns {Promise<void>} rejected if it cannot be loaded
 */
export function loadStyle(name) {
  let loading = styles.get(name);
  if (!loading) {
    const { href } = new URL(`../css/${name}.css`, import.meta.url);
    const isThere = [...document.styleSheets].some((sheet) => sheet.href === href);
    loading = (isThere ? Promise.resolve() : twice(() => applied(href))).catch((error) => {
      // The next call tries again.
      styles.delete(name);
      throw error;
    });
    styles.set(name, loading);
  }
  return loading;
}

/** @param {string} href @returns {Promise<void>} */
const applied = (href) =>
  new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    // `theme.js` loads a link without this mark again.
    link.dataset.again = "";
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => reject(new Error(`no style sheet ${href}`)));
    document.head.append(link);
  });
