// @ts-check
// Reports and the decisions of a moderator, through the page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { beginMatch, chooseLanguage, eventually, finds, focusOn, over, playPlies, register, stage } from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */

/** @param {Page} page @param {string} name @param {string} reason @param {string} text */
async function report(page, name, reason, text) {
  await page.goto(`/player/${name}`);
  await page.getByRole("link", { name: `Report ${name}` }).click();
  await page.getByLabel("What for").selectOption({ label: reason });
  await page.getByLabel("In your own words").fill(text);
  await page.getByRole("button", { name: "Send the report" }).click();
}

/** @param {Page} page @param {string} name */
const card = (page, name) => page.getByRole("listitem", { name: `Report about ${name}` });

/**
 * Calls the server with the session of a page.
 * @param {Page} page
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
function ask(page, method, path, body) {
  return page.evaluate(
    async ([how, where, what]) => {
      const said = {
        method: String(how),
        headers: { "content-type": "application/json" },
        body: what === undefined ? null : JSON.stringify(what),
      };
      const answer = await fetch(`/api/v1${where}`, said);
      if (!answer.ok) throw new Error(`${how} ${where}: ${await answer.text()}`);
      return answer.status === 204 ? null : answer.json();
    },
    /** @type {const} */ ([method, path, body]),
  );
}

/**
 * Plays a rated match that ends after two moves of each side.
 * @param {Page} one
 * @param {Page} other
 */
async function ratedMatch(one, other) {
  const control = { kind: "realtime", base_ms: 600_000, increment_ms: 0 };
  const { id: challenge } = await ask(one, "POST", "/challenges", { game: "mawe", rated: true, time_control: control });
  const { id } = await ask(other, "POST", `/challenges/${challenge}/accept`, {});
  const {
    player: { name: oneIs },
  } = await ask(one, "GET", "/me");
  for (let ply = 0; ply <= 4; ply++) {
    const { seats, turn, legal, seq } = await ask(one, "GET", `/matches/${id}`);
    const mover = seats[turn].player.name === oneIs ? one : other;
    const command = ply < 4 ? { kind: "move", ply, move: legal[0] } : { kind: "resign" };
    await ask(mover, "POST", `/matches/${id}/commands`, { client_id: `ply-${ply}`, seq, command });
  }
}

describe("moderation", () => {
  const { visit, admin } = stage();

  /** @param {string} name @param {BrowserContextOptions} [options] */
  async function account(name, options) {
    const { page } = await visit(options);
    await register(page, name);
    return page;
  }

  /** @param {string} name @param {BrowserContextOptions} [options] */
  async function moderator(name, options) {
    const page = await account(name, options);
    await admin("grant", name, "moderator");
    await page.reload();
    return page;
  }

  test("a player is reported from the match, warned, and reads why", async () => {
    const [amina, zofia] = await Promise.all([account("Amina"), account("Zofia")]);
    const mwalimu = await moderator("Mwalimu");
    const path = await beginMatch(amina, zofia);
    await playPlies(amina, zofia, 2);
    await finds(amina.getByRole("link", { name: "Report Zofia" }), 0);
    await zofia.getByRole("button", { name: "Resign" }).click();
    await zofia.getByRole("button", { name: "Really resign?" }).click();
    await over(amina);
    await amina.getByRole("link", { name: "Report Zofia" }).click();
    await amina.getByLabel("What for").selectOption("stalling");
    await amina.getByLabel("In your own words").fill("She let the <b>clock</b> run.");
    await amina.getByRole("button", { name: "Send the report" }).click();
    await amina.getByText("A moderator will look into").waitFor();
    await report(amina, "Zofia", "Bothers others", "");
    await amina.getByText("You have reported this player already.").waitFor();

    await mwalimu.getByRole("link", { name: "Moderation" }).click();
    const queued = card(mwalimu, "Zofia");
    await queued.getByText("She let the <b>clock</b> run.").waitFor();
    assert.equal(await queued.getByRole("link", { name: "The match" }).getAttribute("href"), path);
    await queued.getByRole("button", { name: "Take this report" }).click();
    await queued.getByLabel("What to do about Zofia").selectOption({ label: "Warn" });
    await queued.getByLabel("Reason, for the player").fill("Play on or resign <i>.");
    await queued.getByRole("button", { name: "Resolve" }).click();
    await queued.getByText("Play on or resign <i>.").waitFor();
    // The player sees it at once, on the current page.
    const word = zofia.getByRole("group", { name: "Word from a moderator" });
    await word.getByText("A moderator warns you: Play on or resign <i>.").waitFor();
    await word.getByRole("button", { name: "Close" }).click();
    await word.waitFor({ state: "hidden" });

    await mwalimu.getByRole("radio", { name: "Resolved" }).check();
    await card(mwalimu, "Zofia").getByText("Mwalimu").waitFor();
    await mwalimu.getByRole("radio", { name: "Log" }).check();
    for (const line of ["Warned", "Report taken", "Right granted"]) await mwalimu.locator(".log-line").getByText(line).first().waitFor();
  });

  test("who is disabled is out, and told why at the login", async () => {
    const [halima, mbaya] = await Promise.all([account("Halima"), account("Mbaya")]);
    const page = await moderator("Hakimu");
    await report(halima, "Mbaya", "Something else", "Many accounts.");
    await halima.getByText("A moderator will look into").waitFor();
    await page.goto("/moderation");
    const queued = card(page, "Mbaya");
    await queued.getByRole("button", { name: "Take this report" }).click();
    await queued.getByLabel("What to do about Mbaya").selectOption({ label: "Disable the account" });
    await queued.getByLabel("For how long").selectOption({ label: "For good" });
    await queued.getByRole("button", { name: "Resolve" }).click();
    // A decision needs a reason.
    assert.equal(await queued.getByLabel("Reason, for the player").evaluate((field) => field.matches(":invalid")), true);
    await queued.getByLabel("Reason, for the player").fill("One account is enough.");
    await queued.getByRole("button", { name: "Resolve" }).click();
    await queued.getByText("One account is enough.").waitFor();
    await mbaya.goto("/login");
    await mbaya.getByLabel("Name").fill("Mbaya");
    await mbaya.getByLabel("Password").fill("kiboko-na-twiga-7");
    await mbaya.locator("main form button").last().click();
    await mbaya.getByText("One account is enough.").waitFor();
  });

  test("a decision is appealed against once, and another moderator takes it back", async () => {
    const phone = { viewport: { width: 320, height: 568 } };
    const [mshtaki, mshtakiwa] = [await account("Mshtaki"), await account("Mshtakiwa", phone)];
    const [first, second] = [await moderator("Mwamuzi-1"), await moderator("Mwamuzi-2", phone)];
    const narrow = (/** @type {Page} */ page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    const { id } = await ask(mshtaki, "POST", "/players/Mshtakiwa/reports", { reason: "harassing" });
    await ask(first, "POST", `/moderation/reports/${id}/take`);
    await ask(first, "POST", `/moderation/reports/${id}/resolve`, { action: "mute", why: "That was <b>too</b> much.", days: 7 });

    await mshtakiwa.goto("/notices");
    const decision = mshtakiwa.locator(".decisions li");
    await decision.getByText("That was <b>too</b> much.").waitFor();
    await decision.getByText(/^Muted$/).waitFor();
    await decision.getByLabel("Why the decision is wrong").fill("My <i>brother</i> wrote it.");
    assert.ok(await narrow(mshtakiwa));
    await decision.getByRole("button", { name: "Send the appeal" }).click();
    await decision.getByText("Your appeal waits for a moderator.").waitFor();
    await finds(decision.getByLabel("Why the decision is wrong"), 0);

    const answer = async (/** @type {Page} */ page) => {
      await page.goto("/moderation");
      await page.getByRole("radio", { name: "Appeals" }).check();
      const appeal = card(page, "Mshtakiwa");
      await appeal.getByText("My <i>brother</i> wrote it.").waitFor();
      await appeal.getByLabel("About the appeal").selectOption({ label: "Accept: take the decision back" });
      await appeal.getByLabel("Answer, for the player").fill("Tell him to stop.");
      await appeal.getByRole("button", { name: "Answer" }).click();
      return appeal;
    };
    await (await answer(first)).getByText("another moderator decides about it").waitFor();
    await (await answer(second)).getByText("Accepted").waitFor();
    assert.ok(await narrow(second));
    const word = mshtakiwa.getByRole("group", { name: "Word from a moderator" });
    await word.getByText("A moderator has accepted your appeal: the decision is taken back. Tell him to stop.").waitFor();
    await mshtakiwa.reload();
    await decision.getByText("Accepted: the decision is taken back.").waitFor();
    await first.goto("/notices");
    await first.getByText("Mshtakiwa has appealed against your decision: another moderator has taken it back.").waitFor();
  });

  test("a disabled account appeals at the login", async () => {
    const [mlalamikaji, mfungiwa] = [await account("Mlalamikaji"), await account("Mfungiwa")];
    const page = await moderator("Mfungaji");
    const { id } = await ask(mlalamikaji, "POST", "/players/Mfungiwa/reports", { reason: "cheating" });
    await ask(page, "POST", `/moderation/reports/${id}/take`);
    await ask(page, "POST", `/moderation/reports/${id}/resolve`, { action: "disable", why: "You cheat." });
    await mfungiwa.goto("/login");
    await mfungiwa.getByLabel("Name").fill("Mfungiwa");
    await mfungiwa.getByLabel("Password").fill("kiboko-na-twiga-7");
    const logIn = mfungiwa.locator("main form button").first();
    await logIn.click();
    await mfungiwa.getByText("You cheat.").waitFor();
    await mfungiwa.getByLabel("Why the decision is wrong").fill("I do not.");
    await mfungiwa.getByRole("button", { name: "Send the appeal" }).click();
    await mfungiwa.locator("main").getByText("Your appeal waits for a moderator.").waitFor();
    await logIn.click();
    await mfungiwa.getByLabel("Why the decision is wrong").fill("I do not!");
    await mfungiwa.getByRole("button", { name: "Send the appeal" }).click();
    await mfungiwa.getByText("You have appealed against this decision already.").waitFor();
    const appeals = await ask(page, "GET", "/moderation/reports?state=appealed");
    assert.equal(appeals.items.find((/** @type {{ id: string }} */ one) => one.id === id).resolved.appeal.text, "I do not.");
  });

  test("an appeal that is being written stays when another decision comes", async () => {
    const [mpeleka, mwandishi] = [await account("Mpeleka"), await account("Mwandishi")];
    const page = await moderator("Mwamuzi-3");
    /** @param {string} reason @param {string} why */
    const warn = async (reason, why) => {
      const { id } = await ask(mpeleka, "POST", "/players/Mwandishi/reports", { reason });
      await ask(page, "POST", `/moderation/reports/${id}/take`);
      await ask(page, "POST", `/moderation/reports/${id}/resolve`, { action: "warn", why });
    };
    await warn("harassing", "That was rude.");
    await mwandishi.goto("/notices");
    const text = mwandishi.locator(".decisions li", { hasText: "That was rude." }).getByLabel("Why the decision is wrong");
    await text.fill("It was a joke between");
    await warn("stalling", "Play on.");
    await mwandishi.locator(".decisions li").getByText("Play on.").waitFor();
    await finds(mwandishi.locator(".decisions li"), 2);
    assert.equal(await text.inputValue(), "It was a joke between");
    assert.ok(await text.evaluate((field) => field === document.activeElement), "the writer writes on");
  });

  test("an account that the operator has disabled has no appeal at the login", async () => {
    const page = await account("Mzuiwa");
    await admin("disable", "Mzuiwa", "Ask us.");
    await page.goto("/login");
    await page.getByLabel("Name").fill("Mzuiwa");
    await page.getByLabel("Password").fill("kiboko-na-twiga-7");
    await page.locator("main form button").first().click();
    await page.getByText("Ask us.").waitFor();
    await page.getByLabel("Why the decision is wrong").fill("I do not know.");
    await page.getByRole("button", { name: "Send the appeal" }).click();
    await page.locator("main").getByText("There is no appeal here").waitFor();
    await finds(page.getByRole("button", { name: "Send the appeal" }), 0);
  });

  test("two moderators do not do the same work, and a name is given that is free", async () => {
    const [mlalamishi, first] = [await account("Mlalamishi"), await moderator("Wa-kwanza")];
    const second = await moderator("Wa-pili");
    await chooseLanguage(second, "pl");
    await account("Jina-baya");
    await report(mlalamishi, "Jina-baya", "A name that insults or deceives", "");
    await mlalamishi.getByText("A moderator will look into").waitFor();
    await Promise.all([first.goto("/moderation"), second.goto("/moderation")]);
    const theirs = second.getByRole("listitem", { name: "Zgłoszenie dotyczące gracza Jina-baya" });
    await theirs.waitFor();
    const mine = card(first, "Jina-baya");
    await mine.getByRole("button", { name: "Take this report" }).click();
    await mine.getByLabel("What to do about").waitFor();
    await theirs.getByRole("button").click();
    await theirs.getByText("Tym zgłoszeniem zajmuje się już ktoś inny").waitFor();
    await theirs.getByText("Tą sprawą zajmuje się Wa-kwanza").waitFor();
    await mine.getByLabel("What to do about").selectOption("rename");
    await mine.getByLabel("New name").fill("Mlalamishi");
    await mine.getByLabel("Reason, for the player").fill("Choose a kinder one.");
    await mine.getByRole("button", { name: "Resolve" }).click();
    await mine.getByText("That name is taken.").waitFor();
    await mine.getByLabel("New name").fill("Jina-zuri");
    await mine.getByRole("button", { name: "Resolve" }).click();
    await first.getByRole("link", { name: "Jina-zuri" }).waitFor();
  });

  test("a pair that shares a browser is listed, with the reason, and their matches are made void", async () => {
    const [shared, asha] = [await account("Asha"), (await visit()).page];
    await ask(shared, "DELETE", "/sessions/current");
    await register(shared, "Bahati");
    await asha.goto("/");
    await ask(asha, "POST", "/sessions", { name: "Asha", password: "kiboko-na-twiga-7" });
    const page = await moderator("Mkaguzi");
    await page.goto("/moderation");
    await page.getByRole("radio", { name: "Pairs" }).check();
    await page.getByText("No pair of players stands out.").waitFor();
    for (let match = 0; match < 2; match++) await ratedMatch(asha, shared);
    const pair = page.locator(".reports > li");
    // The results are counted shortly after the end of a match.
    await eventually(async () => {
      const { items } = await ask(page, "GET", "/moderation/pairs");
      return items.length === 1 && items[0].matches === 2;
    });
    await page.reload();
    await page.getByRole("radio", { name: "Pairs" }).check();
    await pair.getByText("Both have logged in from the same browser. That is a hint only").waitFor();
    await finds(pair.getByText("hardly anybody else"), 0);
    await pair.getByText("2 rated matches with each other").waitFor();
    await pair.getByLabel("Reason, for the log").fill("They are one person.");
    await pair.getByRole("button", { name: "Make their rated matches void" }).click();
    await pair.getByText("2 matches count for nothing from now on").waitFor();
    await page.getByRole("radio", { name: "Log" }).check();
    await page.locator(".log-line").getByText("They are one person.").waitFor();
  });

  test("is done by keyboard alone, on the smallest screen", async () => {
    const [mpole, page] = [await account("Mpole"), await moderator("Bingwa-3", { viewport: { width: 320, height: 568 } })];
    await account("Kelele");
    await report(mpole, "Kelele", "Bothers others", "x".repeat(300));
    await mpole.getByText("A moderator will look into").waitFor();
    await page.goto("/moderation");
    await focusOn(page.getByLabel("Only about this player"));
    await page.keyboard.type("kelele");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".reports > li").length === 1);
    const narrow = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(await narrow());
    await focusOn(page.getByRole("button", { name: "Take this report" }));
    await page.keyboard.press("Enter");
    await page.locator("select[name=action]:focus").waitFor();
    await page.keyboard.type("Dis");
    await page.keyboard.press("Home");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Nothing in it.");
    assert.ok(await narrow());
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".reports .outcome").getByText("Dismiss").waitFor();
  });

  test("is for moderators: others see no way there, and guests cannot report", async () => {
    const page = await account("Mtu");
    await finds(page.getByRole("link", { name: "Moderation" }), 0);
    await page.goto("/moderation");
    await page.getByText("This page is for moderators.").waitFor();
    await page.goto("/player/Mtu/report");
    await page.getByText("nobody reports themselves").waitFor();
    const { page: guest } = await visit();
    await guest.goto("/player/Mtu/report");
    await guest.getByText("you need an account").waitFor();
  });
});
