// The program of conformance.py with the library in TypeScript.

import assert from "node:assert/strict";
import { Client, Closed, Goodbye, ok, Problem, Refused, Unreachable } from "@mawe/client";

/** @import { Live, Match, ServerMsg } from "@mawe/client" */
/** @typedef {{ url: string, seen: number[], others: string[], ended: number | string | null }} Report */

const MATCH = "Kx7Rm2Qp9TzA";
const CHALLENGE = "9sHq4UvJ2kXn";
const OF_A_MATCH = ["hello", "snapshot", "event", "joined"];
/** The milliseconds for an answer, for the wish `me`. */
const TIMEOUT = 3_000;

// As on a page without TLS.
assert(Reflect.deleteProperty(Crypto.prototype, "randomUUID"));

/** @param {Report} said @param {ServerMsg} message */
function note(said, message) {
  if (message.t === "event") said.seen.push(message.seq);
  else if (!OF_A_MATCH.includes(message.t)) said.others.push(message.t);
}

/** @param {Client} client @param {string} wish @param {Report} said */
async function ask(client, wish, said) {
  if (wish === "me") assert((await ok(client.rest.GET("/api/v1/me"))).player);
  else if (wish === "challenge")
    await ok(client.rest.POST("/api/v1/challenges", { body: { to: "Zofia", game: "oware", time_control: { kind: "unlimited" } } }));
  else if (wish === "accept")
    await ok(client.rest.POST("/api/v1/challenges/{id}/accept", { params: { path: { id: CHALLENGE } }, body: {} }));
  else {
    for await (const message of client.matchStream(MATCH)) {
      note(said, message);
      if (said.seen.at(-1) === 4) break;
    }
  }
}

/** @param {Live} live */
const misuseJoin = (live) => assert.rejects(live.join("no match"), { name: "Refused", code: "unknown-match" });

/** @param {Match} match */
async function misuseCommands(match) {
  await assert.rejects(match.command({ kind: "resign" }, "no name"), { name: "Refused", code: "bad-frame" });
  await assert.rejects(match.command({ kind: /** @type {any} */ (1n) }), TypeError);
}

/** @param {Live} live @param {Match} match */
async function retire(live, match) {
  for await (const message of live.messages()) {
    if (message.t === "event" && message.state.result) return match.leave();
  }
}

/** @param {Client} client @param {string} wish @param {Report} said */
async function play(client, wish, said) {
  assert((await ok(client.rest.GET("/api/v1/me"))).player);
  const live = await client.live();
  const messages = live.messages();
  try {
    if (wish === "lobby") live.send({ t: "watch-lobby" });
    if (wish === "misuse") await misuseJoin(live);
    const match = await live.join(MATCH);
    if (wish === "misuse") await misuseCommands(match);
    const retiring = wish === "retire" ? retire(live, match) : null;
    let resigning = null;
    for await (const turn of match.turns()) {
      if (wish === "leave") {
        resigning = match.resign();
        match.leave();
      } else await turn.play(turn.legal[0] ?? "");
    }
    await Promise.all([resigning, retiring]);
    assert.equal(match.view.plies.length, match.view.ply, "every ply is kept once");
  } finally {
    live.close();
    for await (const message of messages) note(said, message);
  }
  // A closed line has no further messages and turns.
  for (const feed of [live.messages(), live.turns(), live.turns(MATCH)]) assert.equal((await feed.next()).done, true);
}

/** @param {string} url */
async function run(url) {
  /** @type {Report} */
  const said = { url, seen: [], others: [], ended: null };
  const [address = "", wish = ""] = url.split("#");
  const client = new Client(address, { token: "mawe_test", ...(wish === "me" && { timeout: TIMEOUT }) });
  try {
    await (["me", "challenge", "accept", "stream"].includes(wish) ? ask : play)(client, wish, said);
  } catch (error) {
    if (error instanceof Goodbye || error instanceof Refused) said.ended = error.code;
    else if (error instanceof Problem) said.ended = error.status;
    else if (error instanceof Unreachable) said.ended = "unreachable";
    else if (error instanceof Closed) said.ended = "closed";
    else throw error;
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

const runs = await Promise.allSettled(process.argv.slice(2).map(run));
for (const end of runs) {
  if (end.status === "fulfilled") continue;
  console.error(end.reason);
  process.exitCode = 1;
}
