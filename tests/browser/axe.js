// @ts-check
// The judgement of axe: by the rules of WCAG 2.2 AA and by axe's own best practices, in both colour schemes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** @import { Page } from "playwright-core" */
/** @import { AxeResults } from "axe-core" */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The success criteria of WCAG 2.2 on the levels A and AA, as axe names them. */
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** What is judged in the first scheme of a screen. */
const ALL = /** @type {const} */ ({ type: "tag", values: [...WCAG, "best-practice"] });
/** The rules that depend on colours: in the second scheme nothing else is another. */
const OF_COLOURS = /** @type {const} */ ({ type: "rule", values: ["color-contrast", "link-in-text-block"] });

/** @type {{ screen: string, look: string, rules: typeof ALL | typeof OF_COLOURS, passes: number, violations: string[] }[]} */
const report = [];
/** The rules that had something to look at on any screen. @type {Set<string>} */
const applied = new Set();

/** @param {Page} page @param {string} screen @param {string} look */
export const judge = async (page, screen, look) => assert.deepEqual(await faultsOf(page, screen, look), []);

/** The scheme of a page: a switch costs a new picture of the page, so a screen begins with the last scheme of the screen before. @type {WeakMap<Page, "light" | "dark">} */
const schemes = new WeakMap();

/**
 * Judges a screen in both colour schemes.
 * @param {Page} page
 * @param {string} screen
 * @param {string} look
 * @returns {Promise<string[]>}
 */
export async function faultsOf(page, screen, look) {
  await page.waitForFunction(() => document.querySelector("main h1, #content h1, h1") && !document.querySelector("[aria-busy]"));
  // What stays in view covers for the moment what is scrolled behind it: at the end of the page that is nothing.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const first = schemes.get(page) ?? "light";
  const second = first === "light" ? "dark" : "light";
  schemes.set(page, second);
  return [...(await judgeScheme(page, screen, look, first, ALL)), ...(await judgeScheme(page, screen, look, second, OF_COLOURS))];
}

/**
 * @param {Page} page
 * @param {string} screen
 * @param {string} look
 * @param {"light" | "dark"} colorScheme
 * @param {typeof ALL | typeof OF_COLOURS} only the rules
 */
async function judgeScheme(page, screen, look, colorScheme, only) {
  await page.emulateMedia({ colorScheme });
  // A colour in the middle of a transition would be measured as a wrong one.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => null)),
    ),
  );
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations, passes } = /** @type {AxeResults} */ (
    await page.evaluate(async (runOnly) => {
      const { axe } = /** @type {any} */ (window);
      const options = { resultTypes: ["violations"], runOnly };
      // Selectors take a sixth of the time, and are for the report of a violation alone.
      const results = await axe.run(document, { ...options, selectors: false });
      return results.violations.length === 0 ? results : axe.run(document, options);
    }, only)
  );
  const told = violations.map(({ id, impact, tags, nodes }) => ({
    isFault: tags.some((tag) => WCAG.includes(tag)) || impact === "serious" || impact === "critical",
    text: `${impact} ${id}: ${nodes
      .map(({ target, failureSummary }) => `${target.join(" ")} (${failureSummary?.split("\n")[1]?.trim()})`)
      .slice(0, 4)
      .join("; ")}`,
  }));
  for (const { id } of passes) applied.add(id);
  report.push({ screen, look: `${colorScheme}, ${look}`, rules: only, passes: passes.length, violations: told.map(({ text }) => text) });
  return told.filter(({ isFault }) => isFault).map(({ text }) => `${screen}, ${colorScheme}, ${look}: ${text}`);
}

/** Asserts that as much was looked at as there is; `MAWE_AXE=1` prints the report of docs/page.md. @param {number} least the least number of screens */
export function tell(least) {
  assert.ok(report.length >= least, `${report.length} screens`);
  // It is in WCAG 2.2 alone, and axe leaves it out unless it is asked for.
  assert.ok(applied.has("target-size"));
  if (!process.env.MAWE_AXE) return;
  const minor = report.flatMap(({ screen, look, violations }) => violations.map((violation) => `${violation} [${screen}, ${look}]`));
  console.log(
    `${report.length} screens and states; rules passed on the poorest: ${Math.min(...report.filter(({ rules }) => rules === ALL).map(({ passes }) => passes))}`,
  );
  console.log(minor.length === 0 ? "nothing minor or moderate either" : minor.join("\n"));
}
