// @ts-check
// The faults of a screen, for suites whose server shows screens that no other has: those of the layout, and those that axe finds.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { faults, PRESSED } from "./layout.js";
import { drawn } from "./support.js";

/** @import { AxeResults } from "axe-core" */
/** @import { Page } from "playwright-core" */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Faults of the layout that stay. @param {Page} page */
export async function layoutFaults(page) {
  await drawn(page);
  let found = await page.evaluate(faults, PRESSED);
  for (let frame = 0; found.length > 0 && frame < 40; frame++) {
    await drawn(page);
    found = await page.evaluate(faults, PRESSED);
  }
  return found;
}

/** Violations that axe finds, in both colour schemes. @param {Page} page */
export async function axeFaults(page) {
  const found = [];
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null))));
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
    const { violations } = /** @type {AxeResults} */ (await page.evaluate(() => /** @type {any} */ (window).axe.run(document)));
    const serious = violations.filter(({ impact, tags }) => tags.some((tag) => tag.startsWith("wcag")) || impact === "serious");
    found.push(...serious.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(" ")}`));
  }
  return found;
}
