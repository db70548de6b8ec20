// @ts-check
// Takes the pictures of docs/screenshots: `MAWE_BIN=target/debug/mawe node tests/browser/screenshots.js [NAME]…`. Look at each of them
// afterwards.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { GAMES } from "../../static/tests/loaded-games.js";
import { initSync, Game as Rules } from "../../static/wasm/rules.js";
import { ask, BY_DAYS, playMatch, RAPID } from "./every-screen.js";
import { freePort, startMailServer } from "./mail-server.js";
import {
  addDevice,
  beginMatch,
  clickMove,
  eventually,
  playFirst,
  ratedMatch,
  register,
  startBrowser,
  startServer,
  visitor,
  waitForPlies,
} from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */
/** @import { Game } from "../../static/games/types.js" */
/** @import { Visitor } from "./support.js" */

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const SMALL = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };
const DARK = { colorScheme: /** @type {const} */ ("dark") };
const STILL = { reducedMotion: /** @type {const} */ ("reduce") };

/** The number of plies of a recorded game before its picture. @type {Record<string, number>} */
const PLIES = {
  mawe: 18,
  reversi: 24,
  checkers: 22,
  drafti: 20,
  brazilian: 16,
  russian: 16,
  international: 16,
  pool: 16,
  kalah: 17,
  oware: 20,
  congkak: 6,
  bao: 12,
  pallanguzhi: 6,
};

const english = Object.assign(
  {},
  ...["en", "rest/en"].map((name) => JSON.parse(readFileSync(new URL(`../../static/i18n/${name}.json`, import.meta.url), "utf8"))),
);
initSync({ module: readFileSync(new URL("../../static/wasm/rules_bg.wasm", import.meta.url)) });

const folder = new URL("../../docs/screenshots/", import.meta.url);
const wanted = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
if (wanted.length === 0) for (const name of readdirSync(folder)) rmSync(new URL(name, folder));

/** The pictures of lessons and analysis need no other player, and are taken first: a run for them alone skips the rest. */
const STUDY = /^(learn|analysis|hint)/;

/** The number of pictures in a film strip. */
const FRAMES = 8;

/** The same is true of the pictures of moments. */
const MOMENTS = /^(play|ending|sheet|across|forced|film)/;

/** Of what two players with accounts share: chat, notices, conditional moves, avatars. */
const TOGETHER = /^(chat|notices|conditional|avatars)/;

/** Of the cards of links, which the server draws. */
const CARDS = /^card/;

/** Of a class, its login cards and the phone of a pupil. */
const CLASSES = /^(class|pupil)/;

/** Of players with each other: the page of people, clubs, and club matches. */
const SOCIAL = /^(people|club)/;

/** Of events: a list, an arena, a Swiss tournament, a knockout, the form. */
const EVENTS = /^event/;

/** Of the settings of an account: display name, passkeys, e-mail address. */
const ACCOUNT = /^(names|passkeys|mail)/;

/** The players of two clubs: name, display name, avatar, flag. */
const PEOPLE = /** @type {const} */ ([
  ["Njeri", "", "baobab", "KE"],
  ["Bahati", "", "dolphin", "TZ"],
  ["Chiku", "", "crab", "TZ"],
  ["Ammu", "അമ്മു", "heron", "IN"],
  ["Lukasz", "Łukasz", "turtle", "PL"],
  ["Zofia", "", "starfish", "PL"],
]);

/** Whether a picture that matches is asked for. @param {RegExp} part */
const wants = (part) => wanted.length === 0 || wanted.some((name) => part.test(name));

/** The pages of the players of two clubs. @type {Promise<Page[]> | null} */
let crowd = null;
const server = await startServer(["--spectator-delay", "0", "--operator-page", "--sign-ups-per-minute", "1000"]);
const browser = await startBrowser();

/** @param {BrowserContextOptions[]} options */
const come = (...options) => visitor(browser, server, Object.assign({}, STILL, ...options));

try {
  if (wants(STUDY)) await study();
  if (wants(MOMENTS)) await moments();
  if (wants(TOGETHER)) await together();
  if (wants(CARDS)) await cards();
  if (wants(CLASSES)) await classes();
  if (wants(SOCIAL)) await social();
  if (wants(EVENTS)) await events();
  if (wants(ACCOUNT)) await account();
  const others = [STUDY, MOMENTS, TOGETHER, CARDS, CLASSES, SOCIAL, EVENTS, ACCOUNT];
  if (wanted.length === 0 || !wanted.every((name) => others.some((part) => part.test(name)))) await matches();
} finally {
  await browser.close();
  await server.stop();
}

/** Takes all other pictures. */
async function matches() {
  // Two players with matches against each other, so that a profile has content.
  const [amina, bogdan] = await Promise.all([come(DESKTOP), come(PHONE, DARK)]);
  await Promise.all([register(amina.page, "Amina"), register(bogdan.page, "Bogdan")]);
  // The server limits how often one player challenges another by name.
  for (let i = 0; i < 3; i++) {
    await ratedMatch(amina.page, bogdan.page, "Bogdan", 4, i === 1 ? amina.page : bogdan.page);
    await ratedMatch(bogdan.page, amina.page, "Amina", 4, i === 1 ? amina.page : bogdan.page);
  }

  // A running match of each game: on a desktop in light colours, on a phone in dark ones.
  /** @type {{ path: string, first: Visitor, second: Visitor }[]} */
  const running = [];
  for (const game of GAMES) {
    const [first, second] = await Promise.all([come(DESKTOP), come(PHONE, DARK)]);
    const path = await beginMatch(first.page, second.page, String(english[`game.${game.id}.name`]));
    await playRecorded(game, first.page, second.page, PLIES[game.id] ?? 10);
    await shoot(first.page, `match-${game.id}-desktop-light`);
    await shoot(second.page, `match-${game.id}-phone-dark`);
    running.push({ path, first, second });
  }
  const [mawe] = running;
  if (mawe) {
    await mawe.second.page.locator(".cell.held").first().click();
    for (const [name, locale] of [
      ["sw", "sw"],
      ["pl", "pl"],
      ["ml", "ml"],
    ]) {
      const watcher = await come(locale === "pl" ? DESKTOP : PHONE, locale === "sw" ? DARK : {}, { locale });
      await watcher.page.goto(mawe.path);
      await waitForPlies(watcher.page, 1);
      await shoot(watcher.page, `watching-${locale === "pl" ? "desktop" : "phone"}-${locale === "sw" ? "dark" : "light"}-${name}`);
      await watcher.context.close();
    }
  }

  for (const [size, device] of /** @type {const} */ ([
    ["desktop", DESKTOP],
    ["phone", PHONE],
  ])) {
    for (const [look, scheme] of /** @type {const} */ ([
      ["light", {}],
      ["dark", DARK],
    ])) {
      const { page, context } = await come(device, scheme);
      await page.goto("/login");
      await page.getByLabel("Name").fill("Amina");
      await page.getByLabel("Password").fill("kiboko-na-twiga-7");
      await page.locator("form .primary").click();
      await page.waitForURL((url) => url.pathname === "/");
      for (const [name, path] of [
        ["home", "/"],
        ["watch", "/watch"],
        ["players", "/players/mawe"],
        ["profile", "/player/Bogdan"],
        ["settings", "/settings"],
        ["about", "/about"],
        ["rules", "/rules/mawe"],
      ]) {
        await page.goto(String(path));
        if (name === "watch")
          await page.waitForFunction(() => document.querySelectorAll(".channel:not(.empty) .players:not([hidden])").length >= 6);
        // The position comes after the board.
        if (name === "home") await page.locator(".live .piece").first().waitFor();
        await shoot(page, `${name}-${size}-${look}`);
        if (name !== "players" || look === "dark") continue;
        await page.getByRole("searchbox").pressSequentially("mawe-k");
        await page.locator(".found a").first().waitFor();
        await shoot(page, `players-search-${size}-${look}`);
      }
      await context.close();
    }
  }

  // The moderators' page.
  const [mwalimu, kelele] = await Promise.all([come(DESKTOP), come()]);
  await Promise.all([register(mwalimu.page, "Mwalimu"), register(kelele.page, "Kelele")]);
  await server.admin("grant", "Mwalimu", "moderator");
  for (const [{ page }, name, reason, text] of /** @type {[Visitor, string, string, string][]} */ ([
    [amina, "Kelele", "harassing", "Ten challenges in a row, and then a phrase at every move."],
    [bogdan, "Kelele", "stalling", "Walked away when it was lost."],
    [amina, "Bogdan", "cheating", ""],
  ])) {
    await page.goto(`/player/${name}/report`);
    await page.locator("select[name=reason]").selectOption(reason);
    await page.locator("textarea").fill(text);
    if (text === "") await shoot(page, "report-desktop-light");
    await page.locator("main form button").click();
    await page.locator("main .notice").waitFor();
  }
  await mwalimu.page.goto("/moderation");
  await mwalimu.page.locator(".reports .primary").first().click();
  await mwalimu.page.locator("select[name=action]").selectOption("mute");
  await mwalimu.page.locator("textarea").fill("Say it once, or not at all.");
  await shoot(mwalimu.page, "moderation-desktop-light");
  const away = { storageState: await mwalimu.context.storageState() };
  for (const [name, options] of /** @type {[string, BrowserContextOptions][]} */ ([
    ["smallest-light", SMALL],
    ["phone-dark-pl", { ...PHONE, ...DARK, locale: "pl" }],
    ["phone-light-ml", { ...PHONE, locale: "ml" }],
    ["phone-light-sw", { ...PHONE, locale: "sw" }],
  ])) {
    const { page, context } = await come(options, away);
    await page.goto("/moderation");
    await page.locator("select[name=action]").selectOption("disable");
    if (name === "smallest-light") await shoot(page, "moderation-smallest-light");
    else {
      await page.locator(".decision").scrollIntoViewIfNeeded();
      await shoot(page, `moderation-${name}`);
    }
    await context.close();
  }
  await mwalimu.page.locator("form.decision button").click();
  await mwalimu.page.locator(".reports .outcome").first().waitFor();
  await mwalimu.page.locator("input[name=moderation-part][value=log]").check();
  await shoot(mwalimu.page, "moderation-log-desktop-light");

  // The operator's page.
  await server.admin("grant", "Mwalimu", "operator");
  for (const [name, options] of /** @type {[string, BrowserContextOptions][]} */ ([
    ["desktop-light", DESKTOP],
    ["desktop-dark", { ...DESKTOP, ...DARK }],
    ["smallest-light-sw", { ...SMALL, locale: "sw" }],
    ["phone-dark-pl", { ...PHONE, ...DARK, locale: "pl" }],
    ["phone-light-ml", { ...PHONE, locale: "ml" }],
  ])) {
    const { page, context } = await come(options, away);
    await page.goto("/admin");
    // Some points of each chart.
    await page.waitForFunction(() => (document.querySelector(".pulse polyline")?.getAttribute("points") ?? "").split(" ").length >= 4);
    await shoot(page, `admin-${name}`);
    for (const [i, part] of ["accounts", "jobs", "options"].entries()) {
      await page
        .locator(".admin-part input")
        .nth(i + 2)
        .check();
      await page
        .locator(part === "accounts" ? ".log-line" : "tbody tr")
        .first()
        .waitFor();
      await shoot(page, `admin-${part}-${name}`);
    }
    await context.close();
  }

  // Pages with much text in other languages.
  for (const locale of ["sw", "pl", "ml"]) {
    const { page, context } = await come(PHONE, locale === "pl" ? DARK : {}, { locale });
    for (const [name, path] of [
      ["home", "/"],
      ["rules", "/rules/congkak"],
      ["settings", "/settings"],
      ["players", "/players/mawe"],
    ]) {
      await page.goto(String(path));
      if (name === "players") {
        await page.getByRole("searchbox").pressSequentially("b");
        await page.locator(".found a").first().waitFor();
      }
      await shoot(page, `${name}-phone-${locale === "pl" ? "dark" : "light"}-${locale}`);
    }
    await context.close();
  }

  // The smallest phone, on a first visit; and the sets of boards and pieces.
  const newcomer = await come(SMALL);
  await newcomer.page.goto("/");
  await shoot(newcomer.page, "home-smallest-light");
  await newcomer.page.locator(".tile-play").first().click();
  await playFirst(newcomer.page);
  await waitForPlies(newcomer.page, 2);
  await shoot(newcomer.page, "match-smallest-light");
  const chooser = await come(DESKTOP);
  await chooser.page.goto("/settings");
  for (const [board, pieces] of [
    ["slate", "clay"],
    ["linen", "clear"],
  ]) {
    await chooser.page.locator(`input[name=set-board][value=${board}]`).check();
    await chooser.page.locator(`input[name=set-pieces][value=${pieces}]`).check();
    await shoot(chooser.page, `sets-${board}-${pieces}`, ".samples");
  }
}

/** Takes the pictures of the form for a match, its rules, its end, a phone across, contrast themes, and moves as film strips. */
async function moments() {
  for (const [name, options] of /** @type {[string, BrowserContextOptions][]} */ ([
    ["desktop-light", DESKTOP],
    ["phone-dark", { ...PHONE, ...DARK }],
    ["across-light", { ...PHONE, viewport: { width: 640, height: 360 } }],
    ["forced-desktop", { ...DESKTOP, ...DARK, forcedColors: "active" }],
  ])) {
    const { page, context } = await come(options);
    await page.goto("/play/congkak?with=computer");
    await shoot(page, `play-${name}`);
    await page.locator("input[name=level][value='1']").check();
    await page.locator("input[name=side][value=first]").check();
    await page.locator("form .primary").click();
    await playFirst(page);
    await page.locator(".cell.start").first().waitFor();
    await shoot(page, `ending-begun-${name}`);
    await page.locator(".actions").getByRole("button", { name: "Rules" }).click();
    await page.locator(".sheet .lesson").first().waitFor();
    await shoot(page, `sheet-${name}`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await page.locator(".ending").waitFor();
    await shoot(page, `ending-${name}`);
    await context.close();
  }
  await film("congkak", ["2"], 650);
  await film("mawe", ["a1d4", "h8f6", "d4g7"], 0);
}

/** Takes the pictures of what two players with accounts share. */
async function together() {
  const [one, other] = await Promise.all([come(), come()]);
  const [mine, theirs] = [one.page, other.page];
  for (const [page, name, avatar, flag] of /** @type {const} */ ([
    [mine, "Wanjiru", "baobab", "KE"],
    [theirs, "Zbigniew", "crab", "PL"],
  ])) {
    await ask(page, "POST", "/accounts", { name, password: "kiboko-na-twiga-7" });
    await ask(page, "PATCH", "/me/preferences", { avatar, flag, chat: true });
  }
  const awaited = await playMatch([mine, theirs], { game: "kalah", rated: false, time_control: BY_DAYS, side: "second" }, 0);
  const over = await playMatch([mine, theirs], { game: "mawe", rated: true, time_control: RAPID }, 6, true);
  for (const [page, text] of /** @type {const} */ ([
    [mine, "Thank you, that was quick!"],
    [theirs, "I did not see the jump. Again tomorrow?"],
    [mine, "With pleasure. Kalah in the meantime."],
  ]))
    await ask(page, "POST", `/matches/${over}/chat/players`, { text });
  const made = [];
  for (const game of ["oware", "checkers"])
    made.push(await ask(theirs, "POST", "/challenges", { game, rated: false, time_control: BY_DAYS, to: "Wanjiru" }));
  const storageState = await one.context.storageState();
  const devices = /** @type {[string, BrowserContextOptions][]} */ ([
    ["desktop-light", DESKTOP],
    ["desktop-dark", { ...DESKTOP, ...DARK }],
    ["phone-light", PHONE],
    ["phone-dark", { ...PHONE, ...DARK }],
  ]);
  for (const [name, options] of devices) {
    const { page, context } = await come(options, { storageState });
    await page.goto("/notices");
    await page.locator(".notice-list li").first().waitFor();
    await shoot(page, `notices-${name}`);
    await context.close();
  }
  // Their bar would be on the other pictures, too.
  for (const { id } of made) await ask(theirs, "DELETE", `/challenges/${id}`);
  for (const [name, options] of devices) {
    const { page, context } = await come(options, { storageState });
    await page.goto(`/match/${over}`);
    await page.locator(".chat-title button").first().click();
    await page.locator(".chat-line").first().waitFor();
    await page.locator(".chat-form").scrollIntoViewIfNeeded();
    await shoot(page, `chat-${name}`);
    await page.goto(`/match/${awaited}`);
    await page.locator(".actions button.conditional").click();
    await page.locator(".sheet.conditional .kept h3").waitFor();
    await shoot(page, `conditional-${name}`);
    await page.goto("/settings");
    await page.locator(".looks").first().scrollIntoViewIfNeeded();
    await shoot(page, `avatars-${name}`);
    await context.close();
  }
}

/** Takes the pictures of the cards of two games, as the server draws them. */
async function cards() {
  const { page } = await come({ viewport: { width: 1200, height: 630 } });
  for (const { id } of GAMES.filter((game) => ["mawe", "congkak"].includes(game.id))) {
    await page.setContent(
      `<main style="position:fixed;inset:0"><h1 hidden></h1><img src="${server.url}/api/v1/games/${id}/picture.png" alt=""></main>`,
    );
    await page.locator("img").evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
    await shoot(page, `card-${id}`, "main");
  }
}

/** Takes a film strip of the last of some moves. @param {string} id @param {string[]} moves @param {number} gapMs between two pictures */
async function film(id, moves, gapMs) {
  const game = /** @type {Game} */ (GAMES.find((one) => one.id === id));
  const { page, context } = await visitor(browser, server, DESKTOP);
  await page.goto("/settings");
  await page.locator("input[name=set-sowing][value=slow]").check();
  await page.goto(`/play/${id}?with=device`);
  await page.locator("form .primary").click();
  for (const [ply, move] of moves.entries()) {
    if (ply === moves.length - 1) break;
    await clickMove(page, game, move, ply % 2 === 0 ? "first" : "second");
    await waitForPlies(page, ply + 1);
  }
  const side = moves.length % 2 === 1 ? "first" : "second";
  await page.locator(".status.mine").waitFor();
  const clip = /** @type {{ x: number, y: number, width: number, height: number }} */ (await page.locator(".match .board").boundingBox());
  await clickMove(page, game, moves.at(-1) ?? "", side);
  /** @type {string[]} */
  const frames = [];
  while (frames.length < FRAMES) {
    frames.push((await page.screenshot({ clip, type: "jpeg", quality: 80 })).toString("base64"));
    await page.waitForTimeout(gapMs);
  }
  const cells = frames.map((data) => `<img src="data:image/jpeg;base64,${data}" width="300" alt="">`).join("");
  const blank = await context.newPage();
  await blank.setContent(`<main style="display:grid;grid-template-columns:repeat(4,300px);gap:8px"><h1 hidden></h1>${cells}</main>`);
  await shoot(blank, `film-${id}`, "main");
  await context.close();
}

/** Takes the pictures of lessons and analysis: on a desktop and on a phone, light and dark, and in other languages. */
async function study() {
  const [, { moves = "" } = {}] = JSON.parse(
    readFileSync(new URL("../../rules/tests/vectors/mawe.playouts.json", import.meta.url), "utf8"),
  ).playouts;
  const record = `/analysis#${new URLSearchParams({ game: "mawe", moves: moves.split(" ").slice(0, 30).join(" "), ply: "17" })}`;
  for (const [name, options] of /** @type {[string, BrowserContextOptions][]} */ ([
    ["desktop-light", DESKTOP],
    ["desktop-dark", { ...DESKTOP, ...DARK }],
    ["phone-light", PHONE],
    ["phone-dark", { ...PHONE, ...DARK }],
    ["smallest-light", SMALL],
    ["phone-light-sw", { ...PHONE, locale: "sw" }],
    ["phone-dark-pl", { ...PHONE, ...DARK, locale: "pl" }],
    ["phone-light-ml", { ...PHONE, locale: "ml" }],
  ])) {
    const { page, context } = await come(options);
    for (const [what, path] of [
      ["learn", "/learn"],
      ["learn-kalah", "/learn/kalah"],
      ["learn-task", "/learn/mawe/free"],
      ["analysis-begin", "/analysis"],
      ["analysis", record],
    ]) {
      await page.goto(String(path));
      await page.locator(".learn, .task, .analysis-begin, .analysis").first().waitFor();
      if (what === "learn-task") await page.locator(".actions button").last().click();
      if (what === "analysis") {
        await page.locator(".engine select").selectOption("quick");
        await page.waitForFunction(() => document.querySelector(".counts .quiet")?.textContent === "");
      }
      await shoot(page, `${what}-${name}`);
    }
    await context.close();
  }
  for (const [name, options] of /** @type {[string, BrowserContextOptions][]} */ ([
    ["desktop-light", DESKTOP],
    ["phone-dark", { ...PHONE, ...DARK }],
  ])) {
    const { page, context } = await come(options);
    await page.goto("/learn/checkers");
    await page.locator(".learn .primary").click();
    await playFirst(page);
    await page.locator(".status.mine").waitFor();
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".cell.hint").first().waitFor();
    await shoot(page, `hint-${name}`);
    await context.close();
  }
}

/** A class with its pupils, the sheet of their login cards, and the phone of one of them. */
async function classes() {
  const teacher = await come(DESKTOP);
  const { page } = teacher;
  await register(page, "Neema");
  await server.admin("grant", "Neema", "teacher");
  await ask(page, "POST", "/clubs", { handle: "class-4b", name: "Darasa la nne B", kind: "class" });
  await page.goto("/club/class-4b");
  await page.getByLabel("Names, one a line").fill("Asha Juma\nBaraka Mwinyi = baraka\nChiku Njeri\nDalila Otieno\nEsi Mensah\nFarida Omar");
  await shoot(page, "class-list-desktop-light");
  await page.getByRole("button", { name: "Make the accounts" }).click();
  await page.locator(".login-card").first().waitFor();
  await shoot(page, "class-cards-desktop-light");
  const [, code] = await page.locator(".login-card .code dd").allTextContents();
  await page.getByRole("button", { name: "Back to the class" }).click();
  await page.locator("li.pupil").first().waitFor();
  await page.locator("li.pupil summary").nth(2).click();
  await shoot(page, "class-desktop-light");
  const pupil = await come(PHONE, { locale: "sw" });
  await pupil.page.goto(`/login-card#${code}`);
  await pupil.page.locator("input[name=password]").fill("korosho na maembe");
  await shoot(pupil.page, "pupil-card-phone-light-sw");
  await pupil.page.locator("main form button").click();
  await pupil.page.locator(".account-name").waitFor();
  await shoot(pupil.page, "pupil-welcome-phone-light-sw");
  await pupil.page.goto("/club/class-4b");
  await pupil.page.locator(".class-rules").waitFor();
  await shoot(pupil.page, "pupil-class-phone-light-sw");
  const away = { storageState: await teacher.context.storageState() };
  for (const [name, options] of /** @type {[string, BrowserContextOptions][]} */ ([
    ["phone-dark-pl", { ...PHONE, ...DARK, locale: "pl" }],
    ["phone-light-ml", { ...PHONE, locale: "ml" }],
  ])) {
    const there = await come(options, away);
    await there.page.goto("/club/class-4b");
    await there.page.locator("li.pupil").first().waitFor();
    await shoot(there.page, `class-${name}`);
    await there.context.close();
  }
}

/** The pages of the players of two clubs, who register once. @returns {Promise<[Page, Page, Page, Page, Page, Page]>} */
async function people() {
  crowd ??= Promise.all(
    PEOPLE.map(async ([name, display, avatar, flag]) => {
      const { page } = await come();
      await ask(page, "POST", "/accounts", { name, password: "kiboko-na-twiga-7" });
      await ask(page, "PATCH", "/me/preferences", { avatar, flag });
      if (display !== "") await ask(page, "PUT", "/me/display-name", { display_name: display });
      return page;
    }),
  );
  return /** @type {[Page, Page, Page, Page, Page, Page]} */ (await crowd);
}

/**
 * Plays some moves of a match by requests, and resigns for the player with this name.
 * @param {string} match
 * @param {number} plies
 * @param {string} loser
 */
async function playByRequests(match, plies, loser) {
  const pages = await people();
  const pageOf = (/** @type {string} */ name) => /** @type {Page} */ (pages[PEOPLE.findIndex(([known]) => known === name)]);
  for (let ply = 0; ply < plies; ply++) {
    const { seats, turn, legal, seq } = await ask(pageOf(loser), "GET", `/matches/${match}`);
    const move = { client_id: `ply-${ply}`, seq, command: { kind: "move", ply, move: legal[0] } };
    await ask(pageOf(seats[turn].player.name), "POST", `/matches/${match}/commands`, move);
  }
  const { seq } = await ask(pageOf(loser), "GET", `/matches/${match}`);
  await ask(pageOf(loser), "POST", `/matches/${match}/commands`, { client_id: "resign", seq, command: { kind: "resign" } });
}

/** Two clubs and their match, and the page of people. */
async function social() {
  const [njeri, bahati, chiku, ammu, lukasz, zofia] = await people();
  await ask(njeri, "POST", "/clubs", {
    handle: "mjini",
    name: "Mawe ya Mjini",
    joining: "open",
    banner: "Fridays at five, under the baobab.",
    description: {
      en: "Players of Nairobi and Arusha. We play Mawe! and Oware, and teach whoever comes.",
      sw: "Wachezaji wa Nairobi na Arusha.",
    },
  });
  await ask(ammu, "POST", "/clubs", {
    handle: "kadal",
    name: "കടൽ",
    joining: "open",
    description: { en: "The sea: players of two coasts." },
  });
  await ask(lukasz, "POST", "/clubs", { handle: "kamienie", name: "Klub Kamieni", joining: "request" });
  for (const page of [bahati, chiku, lukasz]) await ask(page, "POST", "/clubs/mjini/members", {});
  for (const page of [lukasz, zofia]) await ask(page, "POST", "/clubs/kadal/members", {});

  // A match of three boards, of which one is over.
  const { id } = await ask(njeri, "POST", "/clubs/mjini/club-matches", {
    against: "kadal",
    game: "mawe",
    time_control: RAPID,
    rated: true,
    start_at: new Date(Date.now() + 3_600_000).toISOString(),
    boards: 3,
    games_per_board: 1,
  });
  await ask(ammu, "POST", `/club-matches/${id}/accept`, {});
  for (const page of [njeri, bahati, chiku]) await ask(page, "POST", `/club-matches/${id}/players`, { side: "home" });
  for (const page of [ammu, lukasz, zofia]) await ask(page, "POST", `/club-matches/${id}/players`, { side: "away" });
  const state = async () => ask(njeri, "GET", `/club-matches/${id}`);
  await server.sql(`UPDATE club_matches SET start_ms = 1, due_ms = 1 WHERE id = '${id}'`);
  await eventually(async () => {
    const { board_list: boards } = await state();
    return boards.length === 3 && boards.every((/** @type {any} */ board) => board.games[0].state === "playing");
  });
  const [{ home, games }] = (await state()).board_list;
  const match = games[0].match;
  const { seats } = await ask(njeri, "GET", `/matches/${match}`);
  const rival = seats.first.player.name === home.player.name ? seats.second : seats.first;
  await playByRequests(match, 4, rival.player.name);
  await eventually(async () => (await state()).home.score === 1);

  for (const name of ["Bahati", "Ammu", "Lukasz"]) await ask(njeri, "POST", "/me/follows", { player: name });
  for (const page of [bahati, ammu, zofia]) await ask(page, "POST", "/me/follows", { player: "Njeri" });
  const away = { storageState: await njeri.context().storageState() };
  for (const [name, options] of /** @type {[string, BrowserContextOptions][]} */ ([
    ["desktop-light", DESKTOP],
    ["phone-dark", { ...PHONE, ...DARK }],
    ["phone-light-sw", { ...PHONE, locale: "sw" }],
    ["phone-light-ml", { ...PHONE, locale: "ml" }],
    ["phone-dark-pl", { ...PHONE, ...DARK, locale: "pl" }],
  ])) {
    const { page, context } = await come(options, away);
    for (const [what, path, part] of /** @type {const} */ ([
      ["people", "/people", ".person"],
      ["clubs", "/clubs", "main li a"],
      ["club", "/club/mjini", "main .person"],
      ["club-match", `/club-match/${id}`, ".board-row"],
    ])) {
      await page.goto(path);
      await page.locator(part).first().waitFor();
      await shoot(page, `${what}-${name}`);
    }
    await context.close();
  }
}

/** An arena that is to come, a Swiss tournament and a knockout with the results of a round, and the form. */
async function events() {
  const pages = await people();
  const [njeri] = pages;
  const control = { kind: "realtime", base_ms: 300_000, increment_ms: 3_000 };
  const tomorrow = new Date(Date.now() + 20 * 60 * 60_000).toISOString();
  const make = async (/** @type {object} */ terms) => (await ask(njeri, "POST", "/events", { time_control: control, ...terms })).id;
  const description = "Fridays at five, under the baobab.";
  const arena = await make({
    kind: "arena",
    name: "Ijumaa ya mawe",
    description,
    game: "oware",
    rated: true,
    start_at: tomorrow,
    duration_minutes: 60,
  });
  const swiss = await make({ kind: "swiss", name: "Shaba", description, game: "kalah", rated: true, start_players: 6, rounds: 3 });
  const knockout = await make({ kind: "knockout", name: "Puchar Bałtyku", game: "reversi", start_players: 4 });
  for (const page of pages.slice(0, 3)) await ask(page, "POST", `/events/${knockout}/join`, {});
  for (const page of pages) for (const event of [arena, swiss]) await ask(page, "POST", `/events/${event}/join`, {});
  const games = async (/** @type {string} */ event, round = 1) => (await ask(njeri, "GET", `/events/${event}/games?round=${round}`)).items;
  const round = await eventually(async () => {
    const items = await games(swiss);
    return items.length === 3 && items.every((/** @type {any} */ game) => game.match) && items;
  });
  for (const game of round) await playByRequests(game.match, 4, game.second.name);
  await eventually(
    async () => (await games(swiss, 2)).every((/** @type {any} */ game) => game.match) && (await games(swiss, 2)).length === 3,
  );
  const away = { storageState: await njeri.context().storageState() };
  for (const [name, options] of /** @type {[string, BrowserContextOptions][]} */ ([
    ["desktop-light", DESKTOP],
    ["desktop-dark", { ...DESKTOP, ...DARK }],
    ["phone-light-sw", { ...PHONE, locale: "sw" }],
    ["phone-light-ml", { ...PHONE, locale: "ml" }],
    ["phone-dark-pl", { ...PHONE, ...DARK, locale: "pl" }],
  ])) {
    // The players' own pages would open their matches.
    const reader = await come(options);
    for (const [what, path, part] of /** @type {const} */ ([
      ["events", "/events", ".event-card a"],
      ["event-arena", `/event/${arena}`, ".standings tbody tr"],
      ["event-swiss", `/event/${swiss}`, ".event-board .cell"],
      ["event-knockout", `/event/${knockout}`, ".event-about"],
    ])) {
      await reader.page.goto(path);
      await reader.page.locator(part).first().waitFor();
      await shoot(reader.page, `${what}-${name}`);
    }
    await reader.context.close();
    const { page, context } = await come(options, away);
    await page.goto("/new-event");
    await page.locator(".new-event").waitFor();
    await shoot(page, `event-form-${name}`);
    await context.close();
  }
}

/** The settings of an account on a server that sends mail; with a name, because browsers have no passkeys for an address. */
async function account() {
  const post = await startMailServer();
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const mail = ["--smtp", `smtp://127.0.0.1:${post.port}`, "--mail-from", "Club <noreply@club.example>", "--origin", home];
  const mailing = await startServer(mail, `127.0.0.1:${port}`);
  try {
    for (const [look, options] of /** @type {[string, BrowserContextOptions][]} */ ([
      ["light", PHONE],
      ["dark", { ...PHONE, ...DARK }],
    ])) {
      const { page, context } = await visitor(browser, { ...mailing, url: home }, { ...STILL, ...options });
      await addDevice(page);
      const [name, password] = [look === "light" ? "Ammu" : "Lukasz", "kiboko-na-twiga-7"];
      await ask(page, "POST", "/accounts", { name, password });
      await ask(page, "PUT", "/me/email", { address: "ammu@example.org", password });
      const link = await post.link(post.mails.length + (look === "light" ? 1 : 0));
      if (look === "light") {
        await page.goto(`/confirm-email#${link}`);
        await page.locator("main form button").click();
        await page.locator("main [role=status], main .notice").first().waitFor();
      }
      await page.goto("/settings");
      const passkeys = page.locator("#passkeys");
      await passkeys.getByRole("textbox").first().fill("My phone");
      await passkeys.locator("input[type=password]").first().fill(password);
      await passkeys.getByRole("button", { name: "Add a passkey" }).click();
      await passkeys.locator("li").first().waitFor();
      const names = page.locator("#display-name");
      await names
        .locator("input")
        .first()
        .fill(look === "light" ? "അമ്മു" : "Łukasz");
      await names.locator("form button").first().click();
      await names.locator("strong").first().waitFor();
      for (const [what, part] of /** @type {const} */ ([
        ["names", "#display-name"],
        ["passkeys", "#passkeys"],
        ["mail", "#email"],
      ])) {
        await page.locator(part).evaluate((el) => el.scrollIntoView({ block: "start" }));
        await shoot(page, `${what}-phone-${look}`);
      }
      await context.close();
    }
  } finally {
    await mailing.stop();
    await post.stop();
  }
}

/**
 * Plays the beginning of a recorded game.
 * @param {Game} game
 * @param {Page} first
 * @param {Page} second
 * @param {number} plies
 */
async function playRecorded(game, first, second, plies) {
  const [, recorded] = JSON.parse(
    readFileSync(new URL(`../../rules/tests/vectors/${game.id}.playouts.json`, import.meta.url), "utf8"),
  ).playouts;
  const rules = Rules.start(game.id, "");
  for (const [ply, move] of recorded.moves.split(" ").slice(0, plies).entries()) {
    const side = /** @type {"first" | "second"} */ (rules.turn());
    await clickMove(side === "first" ? first : second, game, move, side);
    rules.play(move);
    await Promise.all([waitForPlies(first, ply + 1), waitForPlies(second, ply + 1)]);
  }
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {string} [part] of the page; else the visible part of it
 */
async function shoot(page, name, part) {
  if (wanted.length > 0 && !wanted.some((start) => name.startsWith(start))) return;
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
  await page.evaluate(() =>
    Promise.all([
      document.fonts.ready,
      ...document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => null)),
    ]),
  );
  const cdp = await page.context().newCDPSession(page);
  const box = part === undefined ? null : await page.locator(part).boundingBox();
  const { data } = await cdp.send("Page.captureScreenshot", {
    format: "webp",
    quality: 75,
    ...(box ? { clip: { ...box, scale: 1 } } : {}),
  });
  writeFileSync(new URL(`${name}.webp`, folder), Buffer.from(data, "base64"));
}
