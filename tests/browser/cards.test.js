// @ts-check
// The head of the document and the page's scripts say the same: the title and the language of every address that is listed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { chooseLanguage, stage } from "./support.js";

/** The title in a document, without the signs that HTML writes in another way. @param {string} html */
const titleIn = (html) => /<title>(.*?)<\/title>/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

describe("the title of a page", () => {
  const { visit } = stage();

  test("is the same before and after its scripts, in the language of the address", async () => {
    const { page } = await visit({ locale: "en-GB" });
    const map = await (await page.request.get("/sitemap.xml")).text();
    const paths = [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place = ""]) => new URL(place).pathname);
    assert.ok(paths.length > 20);
    const languages = ["en", "sw", "pl", "ml"];
    for (const [i, path] of paths.entries()) {
      const language = languages[i % languages.length] ?? "en";
      const address = `${path}?lang=${language}`;
      const title = titleIn(await (await page.request.get(address)).text());
      await page.goto(address);
      await page.waitForFunction(() => document.querySelector("main:not(.early)") !== null);
      assert.deepEqual(await page.evaluate(() => [document.title, document.documentElement.lang]), [title, language], address);
    }
  });

  test("stays in the language of the address for the visit, until the reader chooses another", async () => {
    const { page } = await visit({ locale: "en-GB" });
    await page.goto("/about?lang=pl");
    await page.getByRole("link", { name: "Gracze" }).first().click();
    await page.getByRole("heading", { name: "Gracze", level: 1 }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "pl");
    // It is not the reader's choice: the next visit is in the browser's language.
    await page.goto("/about");
    await page.getByRole("heading", { name: "About Mawe!", level: 1 }).waitFor();
    await page.goto("/about?lang=sw");
    await chooseLanguage(page, "ml");
    await page.waitForFunction(() => document.documentElement.lang === "ml");
    assert.equal(new URL(page.url()).search, "");
    await page.reload();
    await page.waitForFunction(() => document.querySelector("main:not(.early)") !== null);
    assert.equal(await page.evaluate(() => document.documentElement.lang), "ml");
  });
});
