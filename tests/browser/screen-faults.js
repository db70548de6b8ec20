// @ts-check
// The faults of the layout of a screen as it is, for suites whose server shows screens that no other has.
import { faults, PRESSED } from "./layout.js";
import { drawn } from "./support.js";

/** @import { Page } from "playwright-core" */

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
