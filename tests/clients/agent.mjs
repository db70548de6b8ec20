// The program of conformance.py with the library in TypeScript.

import assert from "node:assert/strict";
import { Client, Goodbye, ok } from "@mawe/client";

const MATCH = "Kx7Rm2Qp9TzA";
const OF_A_MATCH = ["hello", "snapshot", "event", "joined"];

/** @param {string} url */
async function play(url) {
  const said = {
    url,
    seen: /** @type {number[]} */ ([]),
    others: /** @type {string[]} */ ([]),
    ended: /** @type {number | null} */ (null),
  };
  const [address = "", wish] = url.split("#");
  const client = new Client(address, { token: "mawe_test" });
  const me = await ok(client.rest.GET("/api/v1/me"));
  assert(me.player);
  try {
    const live = await client.live();
    const messages = live.messages();
    if (wish === "lobby") live.send({ t: "watch-lobby" });
    const match = await live.join(MATCH);
    for await (const turn of match.turns()) await turn.play(turn.legal[0] ?? "");
    live.close();
    for await (const message of messages) {
      if (message.t === "event") said.seen.push(message.seq);
      else if (!OF_A_MATCH.includes(message.t)) said.others.push(message.t);
    }
    assert.equal(match.view.plies.length, match.view.ply, "every ply is kept once");
  } catch (error) {
    if (!(error instanceof Goodbye)) throw error;
    said.ended = error.code;
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

await Promise.all(process.argv.slice(2).map(play));
