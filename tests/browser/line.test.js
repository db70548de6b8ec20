// @ts-check
// The connection breaks, and the match goes on.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { beginMatch, boardText, KEPT, myTurn, playFirst, playPlies, plies, stage, waitForPlies } from "./support.js";

describe("a line that breaks", () => {
  // What the page does when the network is back, it does with its worker, too.
  const { visit, kill, restart } = stage([], KEPT);

  test("because the server was killed: both come back, nothing is lost, a move made meanwhile arrives", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    await beginMatch(a.page, b.page);
    await playPlies(a.page, b.page, 4);
    const board = await boardText(a.page);

    await kill();
    await Promise.all([a.page, b.page].map((page) => page.locator("header .line.down").waitFor()));
    await a.page.locator(".cell.start").first().click();
    await a.page.locator(".cell.target").first().click();
    await a.page.getByText("Your move is kept").waitFor();
    assert.notEqual(await boardText(a.page), board, "the move is shown while it waits");
    assert.equal(await plies(a.page), 4);

    await restart();
    await Promise.all([a.page, b.page].map((page) => page.locator("header .line.open").waitFor()));
    await Promise.all([waitForPlies(a.page, 5), waitForPlies(b.page, 5)]);
    assert.equal(await boardText(a.page), await boardText(b.page));
    await playPlies(a.page, b.page, 8);
    assert.equal(await plies(a.page), 8);
  });

  test("because the network went: a move made offline arrives once", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    // The browser's offline mode leaves open sockets alone, so the test cuts the connection as well.
    let cut = false;
    /** @type {Set<() => void>} */
    const open = new Set();
    /** @type {string[]} */
    const moves = [];
    await a.page.routeWebSocket(/\/api\/v1\/ws$/, (page) => {
      const upstream = page.connectToServer();
      const hangUp = () => {
        void page.close({ code: 1001 });
        void upstream.close();
      };
      if (cut) return hangUp();
      open.add(hangUp);
      page.onMessage((message) => {
        if (String(message).includes('"kind":"move"')) moves.push(String(message));
        if (!cut) upstream.send(message);
      });
      upstream.onMessage((message) => page.send(message));
    });
    await beginMatch(a.page, b.page);
    await playPlies(a.page, b.page, 2);

    cut = true;
    await a.context.setOffline(true);
    for (const hangUp of open) hangUp();
    await a.page.locator("header .line.down").waitFor();
    moves.length = 0;
    await a.page.locator(".cell.start").first().click();
    await a.page.locator(".cell.target").first().click();
    await a.page.getByText("Your move is kept").waitFor();
    assert.deepEqual(moves, []);
    assert.equal(await plies(b.page), 2);

    cut = false;
    await a.context.setOffline(false);
    await Promise.all([waitForPlies(a.page, 3), waitForPlies(b.page, 3)]);
    await playFirst(b.page);
    await myTurn(a.page);
    assert.equal(await plies(a.page), 4);
    assert.equal(await plies(b.page), 4);
    assert.equal(moves.length, 1, "sent once");
    assert.equal(await boardText(a.page), await boardText(b.page));
  });

  test("after a move was sent and before it was answered: it is sent again under the same name and played once", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    let deaf = false;
    /** @type {string[]} */
    const names = [];
    /** @type {(() => void)[]} */
    const hangUps = [];
    await a.page.routeWebSocket(/\/api\/v1\/ws$/, (page) => {
      const upstream = page.connectToServer();
      hangUps.push(() => {
        void page.close({ code: 1001 });
        void upstream.close();
      });
      page.onMessage((message) => {
        const name = /"client_id":"(\w+)"/.exec(String(message));
        if (name?.[1]) names.push(name[1]);
        upstream.send(message);
      });
      upstream.onMessage((message) => {
        if (!deaf) page.send(message);
      });
    });
    await beginMatch(a.page, b.page);
    deaf = true;
    await a.page.locator(".cell.start").first().click();
    await a.page.locator(".cell.target").first().click();
    // The server and the opponent have the move; the mover has no answer.
    await waitForPlies(b.page, 1);
    assert.equal(await plies(a.page), 0);
    deaf = false;
    for (const hangUp of hangUps) hangUp();
    await waitForPlies(a.page, 1);
    await playFirst(b.page);
    await playFirst(a.page);
    await waitForPlies(b.page, 3);
    assert.equal(await plies(a.page), 3);
    assert.equal(new Set(names).size, 2, "two moves, two names");
  });
});
