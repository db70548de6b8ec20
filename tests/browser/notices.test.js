// @ts-check
// Notices of what happened elsewhere, between two windows; and the look that a player has chosen, as the other one sees it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { chooseLanguage, finds, follow, register, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const BY_DAYS = { kind: "correspondence", days: 3 };

/** @param {Page} page @param {string} path @param {object} data */
async function post(page, path, data) {
  const answer = await page.request.post(`/api/v1${path}`, { data });
  const text = await answer.text();
  assert.ok(answer.ok(), `${path}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** @param {Page} page @param {string} id @param {string} name @param {(view: any) => object} command */
async function act(page, id, name, command) {
  const view = await (await page.request.get(`/api/v1/matches/${id}`)).json();
  await post(page, `/matches/${id}/commands`, { client_id: name, seq: view.seq, command: command(view) });
}

const move = (/** @type {any} */ { ply, legal }) => ({ kind: "move", ply, move: legal[0] });

/** The bell of the header. @param {Page} page */
const bell = (page) => page.locator("header a.bell");

/** Waits for the number of unread notices at the bell. @param {Page} page @param {string} count */
const counts = (page, count) =>
  page.waitForFunction((wanted) => document.querySelector("header a.bell")?.textContent?.trim() === wanted, count);

describe("notices", () => {
  const { visit } = stage();

  /** Two players with accounts, each at home. @param {string} one @param {string} other */
  async function pair(one, other) {
    const [first, second] = await Promise.all([visit(), visit()]);
    await Promise.all([register(first.page, one), register(second.page, other)]);
    return { first: first.page, second: second.page };
  }

  test("a challenge and its answer come live, and stand in the list until they are read", async () => {
    const { first, second } = await pair("Ala", "Baraka");
    await bell(second).click();
    await second.getByText("Nothing yet.").waitFor();
    await follow(second, "/watch");

    const { id } = await post(first, "/challenges", { game: "oware", to: "Baraka", time_control: BY_DAYS });
    await counts(second, "1");
    assert.match(await second.title(), /^\(1\) /);
    // Reading the list takes the number away, also in another window.
    const elsewhere = await second.context().newPage();
    await elsewhere.goto("/");
    await counts(elsewhere, "1");
    await bell(second).click();
    const row = second.locator(".notice-list li");
    await row.getByText("Ala invites you to a match of Oware").waitFor();
    await second.locator(".notice-list .unread").waitFor();
    await Promise.all([second, elsewhere].map((page) => counts(page, "")));
    assert.doesNotMatch(await second.title(), /^\(/);
    await row.getByRole("link").click();
    await second.waitForURL(`**/challenge/${id}`);

    await post(second, `/challenges/${id}/decline`, { reason: "later" });
    await counts(first, "1");
    await bell(first).click();
    await first.getByText("Baraka has declined your challenge: Oware (not now, perhaps later)").waitFor();
    // The player who answered has nothing to be told.
    await follow(second, "/notices");
    await second.getByText("Nothing yet.").waitFor();
    // The mark of what is new is that of one visit.
    await first.reload();
    await first.locator(".notice-list li").waitFor();
    await finds(first.locator(".notice-list .unread"), 0);
  });

  test("a match by the day is one notice, from the turn to the end", async () => {
    const { first, second } = await pair("Cala", "Dalili");
    const { id: challenge } = await post(first, "/challenges", { game: "mawe", side: "first", to: "Dalili", time_control: BY_DAYS });
    const { id } = await post(second, `/challenges/${challenge}/accept`, {});
    // Also the acceptance is replaced by the turn.
    await counts(first, "1");
    await bell(first).click();
    await first.getByText(/^Your move against Dalili: Mawe!, until /).waitFor();
    await follow(first, "/watch");
    await act(first, id, "a", move);
    await follow(second, "/notices");
    await second.getByText(/^Your move against Cala: Mawe!/).waitFor();
    await follow(second, "/watch");
    await act(second, id, "b", move);
    await counts(first, "1");
    await act(second, id, "c", () => ({ kind: "resign" }));
    await bell(first).click();
    await first.getByText("You won against Dalili: Mawe! – by resignation.").waitFor();
    await finds(first.locator(".notice-list li"), 1);
    await first.getByRole("link", { name: /^You won/ }).click();
    await first.waitForURL(`**/match/${id}`);
    await first.locator(".status.over").waitFor();
    // The match by itself marks the notice of the other player, who never saw the list.
    await counts(second, "1");
    await follow(second, `/match/${id}`);
    await counts(second, "");
  });

  test("who has no account is told why there are none", async () => {
    const { page } = await visit();
    await page.goto("/notices");
    await page.getByText("News is kept for players with an account").waitFor();
    assert.equal(await bell(page).isVisible(), false);
  });

  test("an avatar and a flag are chosen once and seen by others", async () => {
    const { first, second } = await pair("Eshe", "Farida");
    const { id: challenge } = await post(first, "/challenges", { game: "kalah", to: "Farida", time_control: BY_DAYS });
    const { id } = await post(second, `/challenges/${challenge}/accept`, {});
    await follow(second, `/match/${id}`);
    await second.locator(".seat svg.avatar").first().waitFor();
    await follow(first, "/settings");
    const octopus = first.getByRole("radio", { name: "an octopus" });
    const stored = () => first.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
    await Promise.all([stored(), octopus.check({ force: true })]);
    await Promise.all([stored(), first.getByLabel("Flag").selectOption({ label: "Tanzania" })]);
    // At the match that is open, without a reload.
    const seat = second.locator(".seat", { hasText: "Eshe" });
    await seat.locator("svg.avatar image[href='/looks/avatars/octopus.svg']").waitFor();
    const drawn = await seat.locator("svg.avatar").evaluate((el) => {
      const [whole, picture] = [el, el.querySelector("image")].map((part) => part?.getBoundingClientRect());
      return whole && picture && Math.round(whole.width - picture.width) === 0 && Math.round(whole.height - picture.height) === 0;
    });
    assert.ok(drawn, "the drawing fills its place");
    const flag = seat.locator("img.flag");
    await flag.waitFor();
    assert.equal(await flag.getAttribute("alt"), "Tanzania");
    await second.waitForFunction(() =>
      [...document.querySelectorAll(".seat img")].every((img) => /** @type {any} */ (img).naturalWidth > 0),
    );
    await chooseLanguage(second, "pl");
    await second.waitForFunction(() => document.querySelector(".seat img.flag")?.getAttribute("alt") === "Tanzania");
    await follow(second, "/player/Eshe");
    await second.locator(".profile-head .avatar image").waitFor();
    await second.locator(".profile-head img.flag").waitFor();
    // They are still chosen, and can be taken back.
    await first.reload();
    await first.getByRole("radio", { name: "an octopus", checked: true }).waitFor();
    assert.equal(await first.getByLabel("Flag").inputValue(), "TZ");
    await Promise.all([stored(), first.getByRole("radio", { name: "made of your name" }).check({ force: true })]);
    await Promise.all([stored(), first.getByLabel("Flag").selectOption("")]);
    await second.reload();
    await finds(second.locator(".profile-head .avatar rect"), 1);
    await finds(second.locator(".profile-head .avatar image"), 0);
    await finds(second.locator(".profile-head img.flag"), 0);
  });
});
