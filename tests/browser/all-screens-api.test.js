// @ts-check
// The pages of the API, which are documents of their own, as `screen-walk.js` looks at those of the client.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judge } from "./axe.js";
import { API_PAGES, showApiPage } from "./every-screen.js";
import { OPENING, prepareLooks } from "./looks.js";
import { conclude, createChecks, PRESSED_PHONE, walkingStage } from "./screen-walk.js";

describe("every page of the API", () => {
  const { visit } = walkingStage();

  test("has room in every size, axe finds nothing, and the keyboard reaches what is in view", async () => {
    const { page, context, complaints } = await visit();
    await prepareLooks(page);
    await page.goto("/api/docs");
    const checks = await createChecks(page, { speaks: false });
    for (const screen of API_PAGES) {
      await showApiPage(page, screen);
      await checks.all(screen.path);
    }
    for (const look of [OPENING, PRESSED_PHONE]) {
      await checks.looks.set(look);
      await page.keyboard.press("Escape");
      const search = page.getByRole("combobox", { name: "Search the API" });
      await search.fill("match");
      await page.getByRole("option").first().waitFor();
      await judge(page, "/api/docs, the search", `${look.size.width} px`);
      await search.fill("");
    }
    await page.getByRole("button", { name: "Pages" }).click();
    await judge(page, "/api/docs, the drawer", "phone");
    await context.close();
    assert.deepEqual(complaints, []);
    conclude(checks, API_PAGES.length);
  });
});
