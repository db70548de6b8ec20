// @ts-check
// The pages besides the match: watch, players, a profile, settings, about.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  beginMatch,
  chooseLanguage,
  eventually,
  finds,
  follow,
  openMenu,
  playFirst,
  ratedMatch,
  register,
  stage,
  waitForPlies,
} from "./support.js";

/** @import { Page } from "playwright-core" */

describe("the screens around a match", () => {
  const { visit } = stage();

  test("a profile shows ratings and how they went, the record against the reader, and its matches by filter", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    await Promise.all([register(a.page, "Zawadi"), register(b.page, "Bogumila")]);
    await b.page.goto("/about");
    await ratedMatch(a.page, b.page, "Bogumila", 4);
    await b.page.goto("/about");
    await ratedMatch(a.page, b.page, "Bogumila", 5);

    const { page } = a;
    await page.goto("/player/bogumila");
    const chart = page.getByRole("img", { name: /^Mawe! · Blitz: from \d+ to \d+, lowest \d+, highest \d+. Matches: 2$/ });
    const against = page.locator("section", { has: page.getByRole("heading", { name: "You against each other" }) });
    // Each side has a record of its own; the sides were drawn by lot.
    const games = page.getByRole("region", { name: "By game" });
    const lost = async () =>
      [...(await games.innerText()).matchAll(/\b0 won, 0 drawn, (\d+) lost/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    // The matches are counted soon after their end, perhaps between two of the page's requests.
    await eventually(async () => {
      await page.reload();
      await page.locator(".history .match-row").first().waitFor();
      await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
      return (await chart.isVisible()) && (await lost()) === 2;
    });
    await against.getByText("Mawe!: you won 2, drew 0, lost 0").waitFor();
    await page.getByText("As a table").click();
    await finds(page.getByRole("region", { name: "As a table" }).getByRole("row"), 3);

    const rows = page.locator(".history .match-row");
    await finds(rows, 2);
    await page.getByText("Filter the matches").click();
    const few = async (/** @type {number} */ count) =>
      page.waitForFunction((n) => document.querySelectorAll(".history .match-row").length === n, count);
    await page.getByRole("combobox", { name: "Result" }).selectOption("won");
    await few(0);
    await page.getByText("No match fits.").waitFor();
    await page.getByRole("combobox", { name: "Result" }).selectOption("lost");
    await few(2);
    await page.getByRole("combobox", { name: "Game" }).selectOption("oware");
    await few(0);
    await page.getByRole("combobox", { name: "Game" }).selectOption("mawe");
    await page.getByRole("combobox", { name: "Rated or casual" }).selectOption("true");
    await page.getByRole("combobox", { name: "Speed" }).selectOption("blitz");
    await page.getByRole("textbox", { name: "Opponent" }).fill("zawadi");
    await page.getByLabel("Until", { exact: true }).fill("2001-01-01");
    await few(0);
    await page.getByLabel("Until", { exact: true }).fill("");
    await page.getByLabel("From", { exact: true }).fill("2001-01-01");
    await few(2);
    // Page by page: the real answers, of one match each.
    await page.route("**/matches?*limit=20*", (route) => route.continue({ url: route.request().url().replace("limit=20", "limit=1") }));
    await page.getByRole("combobox", { name: "Speed" }).selectOption("");
    await few(1);
    await page.getByRole("button", { name: "Show more" }).click();
    await few(2);
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "hidden" });
    // The filtered matches can be downloaded, and so can each match.
    const lines = await page.request.get((await page.getByRole("link", { name: "Download all these matches" }).getAttribute("href")) ?? "");
    assert.equal((await lines.text()).trim().split("\n").length, 2);
    await rows.first().click();
    await page.locator(".status.over").waitFor();
    for (const link of await page.locator(".exports a").all())
      assert.equal((await page.request.get((await link.getAttribute("href")) ?? "")).status(), 200);
  });

  test("players are found by name and listed by game and speed", async () => {
    const { page } = await visit();
    await register(page, "Wanjiru");
    await page.getByRole("link", { name: "Players" }).click();
    await page.getByRole("searchbox", { name: "A player’s name" }).fill("nobody-here");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("alert").getByText("There is no player of this name.").waitFor();
    await page.getByRole("link", { name: "Oware" }).click();
    await page.getByRole("heading", { name: "Oware · Leaderboard" }).waitFor();
    await page.getByRole("radio", { name: "Daily" }).check();
    await page.getByText("Nobody is ranked yet.").waitFor();
    await page.getByRole("searchbox", { name: "A player’s name" }).fill("wanJIRU");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/player/Wanjiru");
    await page.getByRole("heading", { name: "Wanjiru" }).waitFor();
  });

  test("players are shown while their name is written, and reached by keyboard", async () => {
    const [a, b, c] = await Promise.all([visit(), visit(), visit({ viewport: { width: 320, height: 640 } })]);
    await Promise.all([register(a.page, "Adaeze"), register(b.page, "adaeze-2")]);
    const { page } = c;
    await page.goto("/players");
    const field = page.getByRole("searchbox", { name: "A player’s name" });
    await field.pressSequentially("ADA");
    const found = page.locator(".found a");
    await page.getByRole("status").getByText("2 players found").waitFor({ state: "attached" });
    assert.deepEqual(await found.locator("strong").allInnerTexts(), ["Adaeze", "adaeze-2"]);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("href") ?? document.activeElement?.getAttribute("name"));
    for (const [key, at] of [
      ["ArrowDown", "/player/Adaeze"],
      ["ArrowDown", "/player/adaeze-2"],
      ["ArrowDown", "/player/adaeze-2"],
      ["ArrowUp", "/player/Adaeze"],
      ["ArrowUp", "player"],
      ["ArrowDown", "/player/Adaeze"],
      ["Escape", "player"],
    ]) {
      await page.keyboard.press(String(key));
      assert.equal(await focused(), at);
    }
    await field.pressSequentially("xx");
    await page.locator(".search .hint").getByText("No name begins like that.").waitFor();
    await finds(found, 0);
    // A part of a name is enough if only one player is found.
    await field.fill("adaeze-");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/player/adaeze-2");
    await page.goBack();
    await page.getByRole("searchbox").fill("mawe-k");
    await found.first().click();
    await page.waitForURL("**/player/mawe-K*");
  });

  test("the language goes with the account, without a reload", async () => {
    const [here, there] = [await visit(), await visit()];
    await register(here.page, "Kasia");
    await here.page.goto("/settings");
    await here.page.getByText("Your account remembers the language").waitFor();
    await here.page.getByRole("radio", { name: "Polski" }).check();
    await here.page.getByRole("heading", { name: "Ustawienia" }).waitFor();
    await there.page.goto("/login");
    await there.page.getByLabel("Name").fill("Kasia");
    await there.page.getByLabel("Password").fill("kiboko-na-twiga-7");
    await there.page.evaluate(() => Object.assign(window, { isSame: true }));
    await there.page.getByRole("button", { name: "Log in" }).click();
    await there.page.getByRole("link", { name: "Gracze" }).waitFor();
    assert.equal(await there.page.evaluate(() => /** @type {any} */ (window).isSame), true);
    assert.equal(await there.page.evaluate(() => document.documentElement.lang), "pl");
    // A choice on the other device is found here at the next visit.
    await chooseLanguage(there.page, "sw");
    await there.page.getByRole("link", { name: "Wachezaji", exact: true }).waitFor();
    await here.page.reload();
    await here.page.getByRole("link", { name: "Wachezaji", exact: true }).waitFor();
    // After a logout this device keeps the language that was read on it.
    await here.page.getByRole("button", { name: "Toka" }).first().click();
    await here.page.waitForURL((url) => url.pathname === "/");
    assert.equal(await here.page.evaluate(() => document.documentElement.lang), "sw");
  });

  test("the document says by itself what the scripts then put in the same place", async () => {
    for (const [locale, viewport] of /** @type {const} */ ([
      ["en-GB", { width: 360, height: 740 }],
      ["ml", { width: 360, height: 740 }],
      ["pl", { width: 1280, height: 800 }],
    ])) {
      const [before, after] = [await visit({ locale, viewport, javaScriptEnabled: false }), await visit({ locale, viewport })];
      for (const path of ["/", "/watch", "/rules/oware"]) {
        const seen = await Promise.all(
          [before, after].map(async ({ page }) => {
            await page.goto(path);
            await page.evaluate(() => document.fonts.ready);
            return page
              .locator("header a:visible, .games a, h1, .page > .lead, .lesson:first-of-type :is(h2, .lesson-text p)")
              .evaluateAll((els) =>
                els
                  .filter((el) => el.checkVisibility())
                  .map((el) => {
                    const { x, y, width, height } = el.getBoundingClientRect();
                    return `${el.nodeName} ${el.textContent?.replaceAll(/\s+/g, " ").trim()} ${[x, y, width, height].map(Math.round)}`;
                  }),
              );
          }),
        );
        const words = (/** @type {string[]} */ lines) => lines.filter((one) => !one.startsWith("HEADER"));
        // On a phone the links of the header are in its menu.
        assert.ok(words(seen[0] ?? []).length >= 3);
        assert.deepEqual(words(seen[0] ?? []), words(seen[1] ?? []), `${path} ${locale}`);
      }
    }
  });

  test("the document names a match and a player where the scripts then name them, and their heading stays", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    await Promise.all([register(a.page, "Zainabu"), register(b.page, "Mieczyslaw")]);
    for (const [game, viewport] of /** @type {const} */ ([
      ["Mawe!", { width: 360, height: 740 }],
      ["Congkak", { width: 360, height: 740 }],
      ["Oware", { width: 360, height: 640 }],
      ["Kalah", { width: 1280, height: 800 }],
      ["Checkers", { width: 1280, height: 600 }],
    ])) {
      const match = await beginMatch(a.page, b.page, game);
      const [before, after] = [await visit({ viewport, javaScriptEnabled: false }), await visit({ viewport })];
      // Remembers the heading that the document has before any module runs.
      await after.page.addInitScript(() =>
        new MutationObserver((_, observer) => {
          const heading = document.querySelector("main h1");
          if (!heading) return;
          Object.assign(window, { heading });
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true }),
      );
      for (const [path, parts, least] of /** @type {const} */ ([
        [match, "main h1, .seat .player, .board", 4],
        ["/player/Mieczyslaw", "main h1, .profile-head .lead", 2],
      ])) {
        const seen = await Promise.all(
          [before, after].map(async ({ page }) => {
            await page.goto(path);
            return page.locator(parts).evaluateAll((els) =>
              els.map((el) => {
                // A button may take room at the right of a heading.
                const { x, y, height } = el.getBoundingClientRect();
                const text = el.matches(".board") ? "board" : el.textContent?.trim();
                return `${text} ${[x, y, height].map(Math.round)}`;
              }),
            );
          }),
        );
        assert.ok((seen[0] ?? []).length >= least && seen[0]?.some((text) => text.includes("Mieczyslaw")), path);
        assert.deepEqual(seen[0], seen[1], `${path} ${game}`);
        assert.equal(await after.page.evaluate(() => document.querySelector("h1") === /** @type {any} */ (window).heading), true, path);
        await finds(after.page.locator("h1"), 1);
      }
      // The same in the language that the reader has chosen; what the document says in another is not seen.
      await chooseLanguage(after.page, "pl");
      await after.page.goto(match);
      await finds(after.page.locator("h1"), 1);
      assert.match(await after.page.locator("h1").innerText(), /: Zainabu – Mieczyslaw$/);
      assert.match(await after.page.locator(".status").innerText(), /[ąćęłńóśźż]|ruch/i);
    }
  });

  test("a page looks the same, opened by its address and by a link", async () => {
    const [{ page: opened }, { page: followed }] = [await visit({ reducedMotion: "reduce" }), await visit({ reducedMotion: "reduce" })];
    await followed.goto("/");
    for (const [path, part] of /** @type {const} */ ([
      ["/learn/kalah", ".tasks"],
      ["/settings", ".samples"],
      ["/players", ".search"],
    ])) {
      await opened.goto(path);
      await follow(followed, path);
      const seen = await Promise.all(
        [opened, followed].map(async (page) => {
          await page.locator(part).first().waitFor();
          await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
          return page
            .locator("main *:visible")
            .evaluateAll((els) => els.map((el) => `${el.tagName} ${getComputedStyle(el).color} ${getComputedStyle(el).margin}`));
        }),
      );
      assert.deepEqual(seen[0], seen[1], path);
    }
  });

  test("boards and pieces, light and dark are chosen, kept, and the same in another tab", async () => {
    const { page, context } = await visit();
    await page.goto("/");
    await page.getByRole("link", { name: "Settings" }).first().click();
    const tab = await context.newPage();
    await tab.goto("/settings");
    const square = () =>
      page
        .locator(".samples .cell.dark")
        .first()
        .evaluate((el) => getComputedStyle(el).backgroundColor);
    const stone = () =>
      page
        .locator(".samples .stone.dark .body")
        .first()
        .evaluate((el) => getComputedStyle(el).fill);
    const seed = () =>
      page
        .locator(".samples .seed")
        .first()
        .evaluate((el) => getComputedStyle(el).background);
    const hollow = () =>
      page
        .locator(".samples .wide .board")
        .first()
        .evaluate((el) => getComputedStyle(el).backgroundImage);
    const looks = new Set();
    for (const board of ["Wood", "Slate", "Linen"]) {
      await page.getByRole("radio", { name: board }).check();
      looks.add(`${await square()} ${await hollow()}`);
    }
    assert.equal(looks.size, 3);
    for (const pieces of ["Natural", "Clay", "Clear"]) {
      await page.getByRole("radio", { name: pieces }).check();
      looks.add(`${await stone()} ${await seed()}`);
    }
    assert.equal(looks.size, 6);
    const theme = page.getByRole("group", { name: "Light or dark" });
    await theme.getByRole("radio", { name: "Dark" }).check();
    await tab.waitForFunction(
      () => document.documentElement.dataset.theme === "dark" && document.documentElement.dataset.pieces === "clear",
    );
    assert.equal(await tab.getByRole("radio", { name: "Clear" }).isChecked(), true);
    // The settings are applied before anything is loaded.
    await page.reload();
    // The server's document also names the language of its words; the one that the service worker keeps has none.
    const { words: _, ...shown } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
    assert.deepEqual(shown, {
      theme: "dark",
      board: "linen",
      pieces: "clear",
    });
    await openMenu(page);
    await page.getByRole("button", { name: "Light or dark" }).click();
    await theme.getByRole("radio", { name: "Light", exact: true }).and(page.locator(":checked")).waitFor();
    await theme.getByRole("radio", { name: "As the device" }).check();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
    // The language is one of the settings.
    await page.getByRole("radio", { name: "Polski" }).check();
    await page.getByRole("heading", { name: "Ustawienia" }).waitFor();
    assert.equal(await page.locator("header select").inputValue(), "pl");
  });

  test("the account's password, sessions and tokens are seen to", async () => {
    const { page } = await visit();
    await register(page, "Nakato");
    const other = await visit();
    await other.page.goto("/login");
    const logIn = async (/** @type {string} */ password) => {
      await other.page.getByLabel("Name").fill("Nakato");
      await other.page.getByLabel("Password").fill(password);
      await other.page.getByRole("button", { name: "Log in" }).click();
    };
    await logIn("kiboko-na-twiga-7");
    await other.page.locator(".me", { hasText: "Nakato" }).waitFor();

    await page.goto("/settings");
    const sessions = page.locator("section", { has: page.getByRole("heading", { name: "Where you are signed in" }) });
    const password = page.locator("section.card", { has: page.getByRole("heading", { name: "Password", exact: true }) });
    await sessions.getByText("This device, now").waitFor();
    await sessions.getByRole("button", { name: /^Sign out there \(/ }).click();
    await sessions.getByRole("button", { name: "Really?" }).click();
    await sessions.getByRole("button", { name: /^Sign out there \(/ }).waitFor({ state: "detached" });
    await sessions.getByRole("button", { name: "Really?" }).waitFor({ state: "detached" });
    await other.page.goto("/login");
    await other.page.locator(".me", { hasText: "Nakato" }).waitFor({ state: "hidden" });

    await password.getByLabel("Current password").fill("not this one");
    await page.getByLabel("New password").fill("simba wawili msituni");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("alert").getByText("Name and password do not match.").waitFor();
    await password.getByLabel("Current password").fill("kiboko-na-twiga-7");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The password is changed.").waitFor();
    await logIn("simba wawili msituni");
    await other.page.locator(".me", { hasText: "Nakato" }).waitFor();

    const tokens = page.locator("section", { has: page.getByRole("heading", { name: "Tokens for programs" }) });
    await tokens.getByText("You have no tokens.").waitFor();
    await tokens.getByLabel("What it is for").fill("a clock on my wall");
    await tokens.getByRole("checkbox", { name: "read" }).uncheck();
    await tokens.getByRole("button", { name: "Make a token" }).click();
    await tokens.getByRole("alert").waitFor();
    await tokens.getByRole("checkbox", { name: "read" }).check();
    await tokens.getByRole("checkbox", { name: "play", exact: true }).check();
    await tokens.getByRole("combobox", { name: "Good for" }).selectOption("7");
    await tokens.getByRole("button", { name: "Make a token" }).click();
    const secret = await tokens.getByRole("textbox", { name: "The new token" }).inputValue();
    const me = await fetch(new URL("/api/v1/me", page.url()), { headers: { authorization: `Bearer ${secret}` } });
    assert.equal((await me.json()).player.name, "Nakato");
    await page.reload();
    await tokens.getByText("a clock on my wall", { exact: true }).waitFor();
    await finds(tokens.getByRole("textbox", { name: "The new token" }), 0);
    await tokens.getByRole("button", { name: "Revoke (a clock on my wall)" }).click();
    await tokens.getByRole("button", { name: "Really? (a clock on my wall)" }).click();
    await tokens.getByText("You have no tokens.").waitFor();
    const gone = await fetch(new URL("/api/v1/me/matches", page.url()), { headers: { authorization: `Bearer ${secret}` } });
    assert.equal(gone.status, 401);

    // A new password ends all tokens on request.
    await tokens.getByLabel("What it is for").fill("a lamp");
    await tokens.getByRole("button", { name: "Make a token" }).click();
    await tokens.getByText("a lamp", { exact: true }).waitFor();
    await password.getByLabel("Current password").fill("simba wawili msituni");
    await page.getByLabel("New password").fill("kiboko-na-twiga-8");
    await page.getByRole("checkbox", { name: "End all tokens for programs too" }).check();
    await page.getByRole("button", { name: "Change the password" }).click();
    await tokens.getByText("You have no tokens.").waitFor();
    // The next user of this device does not find the matches of this one.
    await page.evaluate(() => localStorage.setItem("mawe.seen.abc", "{}"));
    await page.getByRole("button", { name: "Log out" }).last().click();
    await page.waitForURL((url) => url.pathname === "/");
    assert.equal(await page.evaluate(() => localStorage.getItem("mawe.seen.abc")), null);
  });

  test("what this is, is told, with the way to the API", async () => {
    const { page } = await visit();
    await page.goto("/");
    await page.getByRole("link", { name: "About Mawe!" }).click();
    await page.getByRole("heading", { name: "About Mawe!" }).waitFor();
    await page.getByText(/^Version \d+\.\d+/).waitFor();
    await page.locator("main").getByRole("link", { name: "API documentation" }).click();
    await page.waitForURL("**/api/docs");
  });

  test("what is on is seen on small boards, and followed from match to match", async () => {
    const [a, b, watcher, viewer] = await Promise.all([visit(), visit(), visit(), visit()]);
    const begin = async (/** @type {Page} */ page) => {
      await page.goto("/play");
      await page.locator("input[name=game][value=kalah]").check();
      await page.getByRole("radio", { name: "5 + 3" }).check();
      await page.locator("input[name=side][value=first]").check();
      await page.getByRole("button", { name: "Play now" }).click();
      await page.locator(".match").waitFor();
      await playFirst(page);
      return new URL(page.url()).pathname;
    };
    await watcher.page.goto("/watch");
    const channel = watcher.page.locator(".channel", { has: watcher.page.getByRole("heading", { name: "Kalah" }) });
    await channel.getByText("Nothing is on at the moment.").waitFor();
    const paths = new Map([
      [await begin(a.page), a.page],
      [await begin(b.page), b.page],
    ]);
    const link = channel.getByRole("link", { name: "Kalah" });
    await link.waitFor();
    const featured = new URL((await link.getAttribute("href")) ?? "", watcher.page.url()).pathname;
    const player = paths.get(featured);
    assert.ok(player, `${featured} is one of the two`);
    // Each ply is shown on the small board.
    const counts = (/** @type {Page} */ page, /** @type {string} */ where) => page.locator(`${where} .count`).allInnerTexts();
    const same = () =>
      eventually(async () => {
        const [there, here] = [await counts(player, ".match"), await counts(watcher.page, ".channel:has(a[href*=kalah])")];
        return there.sort().join() === here.sort().join();
      });
    await same();
    await viewer.page.goto(`${featured}?tv=kalah`);
    await viewer.page.getByText("The best match of Kalah at the moment.").waitFor();
    // It ends: the other match is featured, on both pages.
    await player.getByRole("button", { name: "Resign" }).click();
    await player.getByRole("button", { name: "Really resign?" }).click();
    await player.locator(".status.over").waitFor();
    const [other] = [...paths.keys()].filter((path) => path !== featured);
    await viewer.page.waitForURL(`**${other}?tv=kalah`);
    await watcher.page.waitForFunction((path) => document.querySelector(`.channel a[href^="${path}"]`) !== null, other);
    await link.click();
    await watcher.page.waitForURL(`**${other}?tv=kalah`);
    await waitForPlies(watcher.page, 1);
  });

  test("a private match is nobody else's to find, and an offer says for whom it is", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    await a.page.goto("/play");
    await a.page.getByText("More choices").click();
    await a.page.getByRole("checkbox", { name: "Private: only by its link" }).check();
    await a.page.getByRole("checkbox", { name: "Moves may be taken back" }).uncheck();
    await a.page.locator("input[name=side][value=first]").check();
    await a.page.getByRole("button", { name: "Play now" }).click();
    await playFirst(a.page);
    await waitForPlies(a.page, 2);
    assert.equal(await a.page.getByRole("button", { name: "Take back" }).isVisible(), false);
    await a.page.locator(".about").getByText("casual · private · no taking back").waitFor();
    await b.page.goto("/watch");
    await b.page.locator(".watch .loaded:not([aria-busy])").waitFor();
    await finds(b.page.locator(`a[href^="${new URL(a.page.url()).pathname}"]`), 0);

    await b.page.goto("/play");
    await b.page.locator("input[name=opponent][value=stranger]").check();
    await b.page.getByRole("button", { name: "Other terms" }).click();
    await b.page.getByText("More choices").click();
    await b.page.getByLabel("Rating at least").fill("1800");
    await b.page.getByLabel("Rating at most").fill("1700");
    await b.page.getByRole("button", { name: "Offer it to everybody" }).click();
    await b.page.getByRole("alert").getByText("A rating is 0 to 4000").waitFor();
    await b.page.getByLabel("Rating at most").fill("2400");
    await b.page.getByRole("checkbox", { name: "Quick phrases" }).uncheck();
    await b.page.getByRole("button", { name: "Offer it to everybody" }).click();
    await a.page.goto("/");
    const offer = a.page.locator(".seek");
    await offer.getByText("casual · no phrases · 1800–2400").waitFor();
    await offer.getByRole("button", { name: /^Play/ }).click();
    await a.page.getByRole("alert").getByText("This offer is for players of another strength.").waitFor();
  });
});
