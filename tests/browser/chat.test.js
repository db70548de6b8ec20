// @ts-check
// The chat of a match in three windows: two players by invitation, and a spectator.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { eventually, finds, over, playPlies, register, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const CONTROL = { kind: "realtime", base_ms: 3_600_000, increment_ms: 0 };

/** @param {Page} page @param {string} method @param {string} path @param {unknown} [data] */
async function ask(page, method, path, data) {
  const answer = await page.request.fetch(`/api/v1${path}`, { method, ...(data === undefined ? {} : { data }) });
  const text = await answer.text();
  assert.ok(answer.ok(), `${method} ${path}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** @param {Page} page @param {boolean} on */
const setChat = (page, on) => ask(page, "PATCH", "/me/preferences", { chat: on });

/** @param {Page} page */
const title = (page) => page.locator(".chat-title button");

/** @param {Page} page */
async function openChat(page) {
  await title(page).click();
  await page.locator(".chat-form input").waitFor();
}

/** @param {Page} page @param {string} text */
async function write(page, text) {
  await page.getByRole("textbox", { name: "Write a line" }).fill(text);
  await page.keyboard.press("Enter");
}

/** @param {Page} page @param {string} text */
const lineWith = (page, text) => page.locator(".chat-line", { hasText: text });

describe("the chat of a match", () => {
  const { visit, admin } = stage();

  /** Two accounts at a match by an invitation, and a third that watches; chat is on for all. @param {string} tag */
  async function friends(tag) {
    const [first, second, watcher] = await Promise.all((await Promise.all([visit(), visit(), visit()])).map(({ page }) => page));
    assert.ok(first && second && watcher);
    const names = { first: `Amina-${tag}`, second: `Zofia-${tag}`, watcher: `Halima-${tag}` };
    for (const [page, name] of /** @type {[Page, string][]} */ ([
      [first, names.first],
      [second, names.second],
      [watcher, names.watcher],
    ])) {
      await register(page, name);
      await setChat(page, true);
    }
    const terms = { game: "mawe", side: "first", rated: false, time_control: CONTROL };
    const { id: challenge } = await ask(first, "POST", "/challenges", terms);
    const { id } = await ask(second, "POST", `/challenges/${challenge}/accept`, {});
    await Promise.all([first, second, watcher].map((page) => page.goto(`/match/${id}`)));
    return { first, second, watcher, id, names };
  }

  test("is for the players and for the spectators apart, until the match is over", async () => {
    const { first, second, watcher } = await friends("a");
    await openChat(first);
    await write(first, "Hello <b>friend</b> https://example.org");
    // A closed chat counts what was not read; nothing of the text is more than text.
    await second.locator(".chat-unread").getByText("1").waitFor();
    await openChat(second);
    await lineWith(second, "Hello <b>friend</b> https://example.org").waitFor();
    assert.equal(await second.locator(".chat-line :is(b, a[href*=example])").count(), 0);
    assert.equal(await second.locator(".chat-unread").isVisible(), false);
    await write(second, "jambo");
    await lineWith(first, "jambo").waitFor();
    await openChat(watcher);
    assert.equal(await watcher.locator(".chat-line").count(), 0);
    await write(watcher, "white should jump");
    await lineWith(watcher, "white should jump").waitFor();
    await playPlies(first, second, 2);
    assert.equal(await lineWith(first, "white should jump").count(), 0);
    // Over: the players have both rooms, the spectator still one.
    await first.getByRole("button", { name: "Resign" }).click();
    await first.getByRole("button", { name: "Really resign?" }).click();
    await over(first);
    await first.locator(".chat").getByRole("radio", { name: "Spectators" }).check();
    await lineWith(first, "white should jump").waitFor();
    await write(first, "now I see it");
    await lineWith(watcher, "now I see it").waitFor();
    assert.equal(await watcher.locator(".chat .choice-row").isVisible(), false);
    await finds(lineWith(watcher, "jambo"), 0);
    // The lines are there again at the next visit.
    await second.reload();
    await openChat(second);
    await lineWith(second, "jambo").waitFor();
  });

  test("is not there for guests, and leads those who have it off to the setting", async () => {
    const { first, second, id } = await friends("b");
    const { page: guest } = await visit();
    await guest.goto(`/match/${id}`);
    await guest.locator(".match").waitFor();
    await setChat(first, false);
    await first.reload();
    await title(first).click();
    await first.getByRole("link", { name: "Switch it on in the settings" }).click();
    await first.locator(".set-chat").getByRole("radio", { name: "On" }).check();
    await eventually(async () => (await ask(first, "GET", "/me/preferences")).chat === true);
    await first.goto(`/match/${id}`);
    await openChat(first);
    await write(first, "here I am");
    await second.locator(".chat-unread").getByText("1").waitFor();
    assert.equal(await guest.locator(".chat").count(), 0);
  });

  test("a line near the end counts its characters, and one too long is not sent", async () => {
    const { first, second } = await friends("c");
    await openChat(first);
    const field = first.getByRole("textbox", { name: "Write a line" });
    await field.fill("a".repeat(169));
    assert.equal(await first.locator(".chat-form p").isVisible(), false);
    await field.fill("a".repeat(190));
    await first.getByText("10 characters left").waitFor();
    await field.fill("a".repeat(201));
    assert.equal(await first.getByRole("button", { name: "Send" }).isDisabled(), true);
    await field.press("Enter");
    await field.fill("a".repeat(200));
    await field.press("Enter");
    await lineWith(first, "a".repeat(200)).waitFor();
    await finds(second.locator(".chat-unread").getByText("1"), 1);
    // A refusal keeps the text, and says why.
    await field.fill("not\u202eseen");
    await field.press("Enter");
    await first.locator(".chat .error").getByText(/./).waitFor();
    assert.equal(await field.inputValue(), "not\u202eseen");
  });

  test("a player is muted at a line, and heard again", async () => {
    const { first, second, names } = await friends("d");
    await openChat(first);
    await openChat(second);
    await write(second, "you play badly");
    await lineWith(first, "you play badly").waitFor();
    await first.getByRole("button", { name: `More about this line by ${names.second}` }).click();
    await first.getByRole("button", { name: `Mute ${names.second}` }).click();
    await first.getByText(`You no longer see what ${names.second} writes.`).waitFor();
    await finds(first.locator(".chat-line"), 0);
    await write(second, "very badly");
    await lineWith(second, "very badly").waitFor();
    await write(first, "are you there?");
    await lineWith(second, "are you there?").waitFor();
    await finds(first.locator(".chat-line"), 1);
    await first.getByRole("button", { name: "Undo" }).click();
    await lineWith(first, "very badly").waitFor();
    await finds(first.locator(".chat-line"), 3);
  });

  test("a line is reported, seen by a moderator among the others, removed, and its author muted in chats", async () => {
    const { first, second, id, names } = await friends("e");
    const { page: moderator } = await visit();
    await register(moderator, "Mwalimu-e");
    await admin("grant", "Mwalimu-e", "moderator");
    await openChat(first);
    await openChat(second);
    await write(first, "good move");
    await write(second, "you pig");
    await lineWith(first, "you pig").waitFor();
    await first.getByRole("button", { name: `More about this line by ${names.second}` }).click();
    await first.getByRole("link", { name: "Report" }).first().click();
    await first.getByText("This report is about a line of chat.").waitFor();
    await first.getByRole("button", { name: "Send the report" }).click();
    await first.getByText("Thank you.").waitFor();
    await first.goto(`/match/${id}`);
    await openChat(first);

    await moderator.goto("/moderation");
    const card = moderator.getByRole("listitem", { name: `Report about ${names.second}` });
    await card.getByText("A line of chat").waitFor();
    await card.getByText("Show the chat").click();
    await card.getByText("good move").waitFor();
    await card.getByLabel("Reason for removing it, for the log").fill("an insult");
    await card.getByRole("button", { name: "Remove this line" }).click();
    await card.getByText("removed", { exact: true }).waitFor();
    await card.getByText("you pig").waitFor();
    for (const page of [first, second]) await lineWith(page, "A moderator has removed this line.").waitFor();
    await finds(lineWith(first, "you pig"), 0);

    await card.getByRole("button", { name: "Take this report" }).click();
    await card.getByLabel(`What to do about ${names.second}`).selectOption({ label: "Mute in chats" });
    await card.getByLabel("Reason, for the player and the log").fill("write politely");
    await card.getByRole("button", { name: "Resolve" }).click();
    await second
      .getByText(/A moderator has muted you in chats until .*write politely/)
      .first()
      .waitFor();
    await write(second, "but");
    await second.locator(".chat").getByText("A moderator has muted you: you cannot write here.").first().waitFor();
  });
});
