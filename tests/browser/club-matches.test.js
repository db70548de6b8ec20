// @ts-check
// Club matches: proposed, accepted, signed up for, begun and played, until the score is seen; with the keyboard and on a narrow phone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask } from "./every-screen.js";
import { eventually, focusOn, follow, register, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const PHONE = { viewport: { width: 360, height: 640 } };

/** The card with a heading. @param {Page} page @param {string} heading */
const card = (page, heading) => page.locator("section.card", { has: page.getByRole("heading", { name: heading, exact: true }) });

/** @param {Page} page */
const fits = async (page) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);

describe("club matches", () => {
  const { visit, sql } = stage();

  test("from the proposal to the score", async () => {
    const [asha, bahati, watcher] = await Promise.all([visit(), visit(PHONE), visit(PHONE)]);
    await register(asha.page, "Asha-home");
    await register(bahati.page, "Bahati-away");
    await ask(asha.page, "POST", "/clubs", { handle: "nyumbani", name: "Mawe ya Nyumbani", joining: "open" });
    await ask(bahati.page, "POST", "/clubs", { handle: "ugenini", name: "Mawe ya Ugenini", joining: "open" });

    // The proposal, by keyboard. A start that is too early is told.
    await asha.page.goto("/club/nyumbani");
    const form = card(asha.page, "Challenge another club");
    await form.getByLabel("Start", { exact: false }).fill("2020-01-01T12:00");
    await focusOn(form.getByLabel("Address of the other club"));
    await asha.page.keyboard.type("ugenini");
    await asha.page.keyboard.press("Enter");
    await form.getByText("The start is in 5 minutes at the earliest").waitFor();
    const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 16);
    await form.getByLabel("Start", { exact: false }).fill(tomorrow);
    await focusOn(form.getByRole("button", { name: "Propose the match" }));
    await asha.page.keyboard.press("Enter");
    await asha.page.waitForURL("**/club-match/*");
    await asha.page.getByText("The other club has not answered yet.").waitFor();
    assert.match(await asha.page.title(), /Mawe ya Nyumbani – Mawe ya Ugenini/);
    const path = new URL(asha.page.url()).pathname;
    const id = path.split("/").at(-1) ?? "";

    // The other officer finds it by the notice, and accepts.
    await bahati.page.goto("/notices");
    await bahati.page.getByRole("link", { name: "The club Mawe ya Nyumbani proposes a match in Mawe!" }).click();
    await fits(bahati.page);
    await bahati.page.getByRole("button", { name: "Accept the match" }).click();
    await bahati.page.getByText("The match is agreed.").waitFor();
    await bahati.page.getByRole("button", { name: "Sign up" }).click();
    await bahati.page.getByRole("button", { name: "Sign off" }).waitFor();
    await card(bahati.page, "Mawe ya Ugenini: signed up (1)").getByRole("link", { name: "Bahati-away" }).waitFor();
    await fits(bahati.page);
    // The page of the proposer sees it by itself.
    await asha.page.getByText("The match is agreed.").waitFor();
    await focusOn(asha.page.getByRole("button", { name: "Sign up" }));
    await asha.page.keyboard.press("Enter");
    await asha.page.getByRole("button", { name: "Sign off" }).waitFor();

    // The start: the server finds that its time has come.
    await watcher.page.goto("/club/ugenini");
    await card(watcher.page, "Club matches").getByRole("link", { name: "Mawe ya Nyumbani – Mawe ya Ugenini" }).click();
    await watcher.page.getByText("The match is agreed.").waitFor();
    await sql(`UPDATE club_matches SET start_ms = 1, due_ms = 1 WHERE id = '${id}'`);
    await watcher.page.getByText("The match is being played.").waitFor();
    await watcher.page.getByText("0 : 0").waitFor();
    await fits(watcher.page);
    await follow(bahati.page, "/notices");
    await bahati.page.getByRole("link", { name: "Your match for the club has begun: Mawe! against Asha-home" }).click();
    await bahati.page.waitForURL("**/match/*");
    const match = bahati.page.url().split("/").at(-1);

    // A few plies, and the end.
    for (let ply = 0; ply < 4; ply++) {
      const { turn, legal, seq } = await ask(asha.page, "GET", `/matches/${match}`);
      const mover = turn === "first" ? asha.page : bahati.page;
      await ask(mover, "POST", `/matches/${match}/commands`, {
        client_id: `ply-${ply}`,
        seq,
        command: { kind: "move", ply, move: legal[0] },
      });
    }
    const { seq } = await ask(bahati.page, "GET", `/matches/${match}`);
    await ask(bahati.page, "POST", `/matches/${match}/commands`, { client_id: "resign", seq, command: { kind: "resign" } });
    await watcher.page.getByText("The score is final.").waitFor();
    await watcher.page.locator(".club-score").getByText("1 : 0").waitFor();
    await watcher.page
      .locator(".board-row")
      .getByRole("link", { name: /Asha-home/ })
      .waitFor();
    await watcher.page.goto("/club/nyumbani");
    await card(watcher.page, "Club matches").getByRole("radio", { name: "Past", exact: true }).check();
    await card(watcher.page, "Club matches").getByText("1 : 0").waitFor();
    await fits(watcher.page);
    await eventually(async () => (await ask(asha.page, "GET", `/club-matches/${id}`)).state === "finished");
  });

  test("a proposal is declined, and another withdrawn", async () => {
    const [asha, bahati] = await Promise.all([visit(), visit()]);
    await register(asha.page, "Asha-asks");
    await register(bahati.page, "Bahati-refuses");
    await ask(asha.page, "POST", "/clubs", { handle: "asks", name: "Club that asks", joining: "open" });
    await ask(bahati.page, "POST", "/clubs", { handle: "refuses", name: "Club that refuses", joining: "open" });
    const proposal = {
      against: "refuses",
      game: "oware",
      time_control: { kind: "correspondence", days: 3 },
      start_at: new Date(Date.now() + 24 * 60 * 60_000).toISOString(),
      boards: 3,
    };
    const one = await ask(asha.page, "POST", "/clubs/asks/club-matches", proposal);
    const other = await ask(asha.page, "POST", "/clubs/asks/club-matches", proposal);
    await bahati.page.goto(`/club-match/${one.id}`);
    await bahati.page.getByRole("button", { name: "Decline", exact: true }).click();
    await bahati.page.getByText("The other club has declined.").waitFor();
    await asha.page.goto(`/club-match/${other.id}`);
    await asha.page.getByRole("button", { name: "Withdraw the proposal" }).click();
    await asha.page.getByRole("button", { name: "Press again to withdraw" }).click();
    await asha.page.getByText("The proposal was withdrawn.").waitFor();
  });

  test("a cancelled match is told to all others who have signed up", async () => {
    const [asha, bahati, chiku] = await Promise.all([visit(), visit(PHONE), visit({ ...PHONE, locale: "sw" })]);
    await register(asha.page, "Asha-cancels");
    await register(bahati.page, "Bahati-waits");
    await ask(chiku.page, "POST", "/accounts", { name: "Chiku-waits", password: "kiboko-na-twiga-7" });
    await ask(asha.page, "POST", "/clubs", { handle: "cancels", name: "Club that cancels", joining: "open" });
    await ask(bahati.page, "POST", "/clubs", { handle: "waits", name: "Club that waits", joining: "open" });
    await ask(chiku.page, "POST", "/clubs/cancels/members", {});
    const { id } = await ask(asha.page, "POST", "/clubs/cancels/club-matches", {
      against: "waits",
      game: "oware",
      time_control: { kind: "correspondence", days: 3 },
      start_at: new Date(Date.now() + 24 * 60 * 60_000).toISOString(),
      boards: 3,
    });
    await ask(bahati.page, "POST", `/club-matches/${id}/accept`, {});
    for (const { page } of [bahati, chiku]) await ask(page, "POST", `/club-matches/${id}/players`, {});
    await bahati.page.goto("/notices");
    await chiku.page.goto("/notices");
    await asha.page.goto(`/club-match/${id}`);
    await focusOn(asha.page.getByRole("button", { name: "Cancel the match" }));
    await asha.page.keyboard.press("Enter");
    await asha.page.getByRole("button", { name: "Press again to cancel" }).waitFor();
    await asha.page.keyboard.press("Enter");
    await asha.page.getByText("The match was cancelled").waitFor();
    // It comes by itself, and leads to the club match.
    const told = bahati.page.getByRole("link", { name: "The match against the club Club that cancels is cancelled: Oware" });
    await chiku.page.getByRole("link", { name: "Mechi dhidi ya klabu Club that waits haitachezwa: Oware" }).waitFor();
    await fits(bahati.page);
    await told.click();
    await bahati.page.waitForURL(`**/club-match/${id}`);
    await bahati.page.getByText("The match was cancelled").waitFor();
  });
});
