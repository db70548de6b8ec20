// A complete bot for Mawe! in JavaScript: accepts challenges, or sends one, and plays moves at random.
//
// Needs Node.js 20.3 and the library (clients/typescript): npm pack there. It takes a token with the scope `bot`, of a bot account; see
// docs/api-bots.md for how to get one.
//
//     MAWE_TOKEN=mawe_… node bot.mjs http://127.0.0.1:8080 [CHALLENGE-NAME [GAME [MATCHES]]]
//
// The one thing to change is `choose`.

import { Client, ok, Problem, Refused, Unreachable } from "@mawe/client";

/**
 * The move to play: `legal` are all there are. `position` is in the notation of the game, as in rules/RULES.md.
 * @param {string} _game @param {string} _position @param {readonly string[]} legal
 */
const choose = (_game, _position, legal) => legal[Math.floor(Math.random() * legal.length)] ?? "";

const [url = "http://127.0.0.1:8080", opponent = "", game = "mawe", matches = "Infinity"] = process.argv.slice(2);
/** @type {Omit<import("@mawe/client").types.Offer, "to">} */
const wanted = { game: /** @type {any} */ (game), rated: true, time_control: { kind: "realtime", base_ms: 180_000, increment_ms: 2_000 } };
const client = new Client(url, { token: process.env.MAWE_TOKEN ?? "" });
/** The ids of the matches. */
const running = new Set();
const finished = new Set();
let asked = false;

const live = await client.live();
const messages = live.messages();
const playing = play();
playing.catch(() => live.close());
await catchUp();
// The library comes back by itself when the line breaks.
for await (const message of messages) {
  await hear(message);
  if (finished.size >= Number(matches)) break;
  await challenge();
}
live.close();
await playing;

async function play() {
  for await (const turn of live.turns()) await turn.play(choose(turn.game, turn.position, turn.legal));
}

/** Events while no line was open: new matches, challenges that wait or no longer do. */
async function catchUp() {
  try {
    for (const { id } of (await ok(client.rest.GET("/api/v1/me/matches"))).items) await join(id);
    const challenges = await ok(client.rest.GET("/api/v1/me/challenges"));
    asked = challenges.outgoing.length > 0;
    for (const { id } of challenges.incoming) await accept(id);
    await challenge();
  } catch (error) {
    // `hello` comes again with the next line.
    if (!(error instanceof Unreachable)) throw error;
    console.error(error.message);
  }
}

/** @param {import("@mawe/client").ServerMsg} message */
async function hear(message) {
  if (message.t === "hello") await catchUp();
  else if (message.t === "challenge") await accept(message.challenge.id);
  else if (message.t === "challenge-accepted") {
    asked = false;
    await join(message.match);
  } else if (message.t === "challenge-gone" && message.status === "declined") throw new Error("the challenge was declined");
  else if (message.t === "snapshot" && message.match.result) await over(message.match.id);
  else if (message.t === "event" && message.state.result) await over(message.match);
  else if (message.t === "error") console.error(`${message.code}: ${message.message}`);
}

async function challenge() {
  if (opponent === "" || asked || running.size > 0) return;
  try {
    const { match } = await ok(client.rest.POST("/api/v1/challenges", { body: { ...wanted, to: opponent } }));
    asked = !match;
    if (match) await join(match); // a computer accepts at once
  } catch (error) {
    // Done or not: the next `catchUp` knows.
    if (!(error instanceof Unreachable)) throw error;
  }
}

/** @param {string} id */
async function accept(id) {
  try {
    await join((await ok(client.rest.POST("/api/v1/challenges/{id}/accept", { params: { path: { id } }, body: {} }))).id);
  } catch (error) {
    // Taken back meanwhile, or too many matches.
    if (!(error instanceof Problem || error instanceof Refused || error instanceof Unreachable)) throw error;
    console.error(error.message);
  }
}

/** @param {string} match */
async function join(match) {
  if (finished.has(match)) return;
  running.add(match);
  await live.join(match);
}

/** @param {string} id */
async function over(id) {
  if (!running.delete(id)) return;
  const match = await live.join(id);
  console.log(JSON.stringify({ match: id, you: match.you, result: match.result }));
  finished.add(id);
  live.leave(id);
}
