// @ts-check
// What the walks of `all-screens-*.test.js` rest on: no screen is in none of their groups, and they find faults.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { GAMES } from "../../static/tests/loaded-games.js";
import { unseen } from "./every-screen.js";
import { NARROW, OPENING, prepareLooks, USUAL_TEXT } from "./looks.js";
import { GROUPS } from "./screen-groups.js";
import { createChecks, walkingStage } from "./screen-walk.js";

/** @import { Filled } from "./every-screen.js" */

/** The ids of a server that is not there. @type {Filled} */
const FILLED = {
  running: new Map(GAMES.map(({ id }) => [id, "a-match"])),
  fromPosition: { running: "a-match", over: "a-match" },
  awaited: "a-match",
  won: "a-match",
  lost: "a-match",
  challenge: "a-challenge",
  clubMatch: "a-match",
  events: { coming: "an-event", running: "an-event", series: "an-event" },
};

describe("every screen", () => {
  const { visit } = walkingStage();

  test("is in a group, and a file of tests walks through each group", () => {
    const screens = Object.values(GROUPS).flatMap(({ screens }) => screens(FILLED));
    const addresses = screens.map(({ path, pattern = path }) => pattern);
    assert.deepEqual(unseen(addresses.map(String)), [], "addresses of the page in no group");
    const names = screens.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
      "screens of one name",
    );
    const folder = new URL("./", import.meta.url);
    const walked = readdirSync(folder)
      .filter((file) => file.endsWith(".test.js"))
      .flatMap((file) => [...readFileSync(new URL(file, folder), "utf8").matchAll(/^walkGroup\("(\w+)"\);$/gm)].map(([, name]) => name));
    assert.deepEqual(walked.sort(), Object.keys(GROUPS).sort());
  });

  test("is checked by what finds faults", async () => {
    const { page, context } = await visit();
    await prepareLooks(page);
    await page.goto("/about");
    const checks = await createChecks(page, { speaks: true });
    await page.evaluate(() => {
      const title = /** @type {Element} */ (document.querySelector("main h1"));
      const cover = Object.assign(document.createElement("div"), { className: "test-cover" });
      cover.style.cssText = "position: fixed; inset: 0; z-index: 999";
      const [skipped, next] = ["Skipped", "Next"].map((text) => Object.assign(document.createElement("button"), { textContent: text }));
      skipped?.addEventListener("focus", () => next?.focus());
      const wide = Object.assign(document.createElement("p"), { textContent: "Wide" });
      wide.style.cssText = "inline-size: 3000px";
      title.after(title.cloneNode(true), wide, document.createElement("img"), ...[skipped, next].filter((one) => one !== undefined), cover);
    });
    // A fault is waited for, so in few looks.
    await checks.all("broken", [OPENING, { size: NARROW, text: USUAL_TEXT }]);
    await context.close();
    const { room, axe, keyboard } = checks.found;
    for (const [found, fault] of /** @type {[string[], RegExp][]} */ ([
      [room, /^broken, 320×640, text of 16 px, ml: the page is \d+ px too wide/],
      [room, /^broken, 1280×800, text of 16 px, pl: “.*” is left from another language/],
      [axe, /^broken, light, wide: critical image-alt/],
      [axe, /^broken, dark, phone: critical image-alt|^broken, light, phone: critical image-alt/],
      [keyboard, /^broken, 360×640: Tab: button\. “Skipped” is not reached/],
      [keyboard, /^broken, 1280×800: Shift\+Tab: button\. “Next” is behind div\.test-cover/],
    ]))
      assert.ok(
        found.some((one) => fault.test(one)),
        `${fault} is not among ${found.join("\n")}`,
      );
  });
});
