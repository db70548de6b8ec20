// @ts-check
// The server's messages on a line: each changes the followed matches and the commands without an answer.

import { PASSING } from "../core/facts.js";
import { join, ready, settle, tell, transmit } from "./line.js";
import { applyEvent, applyJoined, applyPresence, applyRematch, fromSnapshot } from "./match.js";

/** @import { ErrorMsg, ServerMsg } from "../core/types.js" */
/** @import { Follow, LineState } from "./line.js" */

/** The delay after a refusal that the server calls temporary. */
const AGAIN_MS = 1_000;
/** Temporary refusals: the command stays and is sent again. @type {Set<string>} */
const passing = new Set(PASSING);

/**
 * @template {ServerMsg["t"]} K
 * @typedef {Extract<ServerMsg, { t: K }>} Msg
 */

/** Handles a message; those about the connection itself are handled by `socket.js`. @param {LineState} line @param {ServerMsg} msg */
export function receive(line, msg) {
  if (msg.t === "snapshot") hearSnapshot(line, msg);
  else if (msg.t === "event") hearEvent(line, msg);
  else if (msg.t === "joined") hearJoined(line, msg);
  else if (msg.t === "presence" || msg.t === "rematch" || msg.t === "phrase") hearChange(line, msg);
  else if (msg.t === "error") hearError(line, msg);
}

/** @param {LineState} line @param {Msg<"snapshot">} msg */
function hearSnapshot(line, msg) {
  const follow = line.follows.get(msg.match.id);
  if (!follow) return;
  // The same object for as long as the match is followed: views keep a reference to it.
  follow.state = Object.assign(follow.state ?? {}, fromSnapshot(msg, line.world.now()));
  follow.whole = false;
  tell(follow, { kind: "snapshot" });
  ready(line, msg.match.id, follow);
}

/** @param {LineState} line @param {Msg<"event">} msg */
function hearEvent(line, msg) {
  const follow = line.follows.get(msg.match);
  if (follow?.state && !follow.whole) {
    const outcome = applyEvent(follow.state, msg, line.world.now());
    if (outcome === "applied") tell(follow, { kind: "event", msg });
    else if (outcome === "gap") askWhole(line, msg.match, follow);
  }
  if (msg.client_id) settle(line, msg.client_id, { ok: true, event: msg });
}

/** @param {LineState} line @param {Msg<"joined">} msg */
function hearJoined(line, msg) {
  const follow = line.follows.get(msg.match);
  if (!follow?.state || follow.whole) return;
  if (msg.seq > follow.state.view.seq) return askWhole(line, msg.match, follow);
  applyJoined(follow.state, msg, line.world.now());
  tell(follow, { kind: "changed" });
  ready(line, msg.match, follow);
}

/** @param {LineState} line @param {Msg<"presence"> | Msg<"rematch"> | Msg<"phrase">} msg */
function hearChange(line, msg) {
  const follow = line.follows.get(msg.match);
  if (!follow?.state) return;
  if (msg.t === "phrase") return tell(follow, { kind: "said", side: msg.side, phrase: msg.phrase });
  if (msg.t === "presence") applyPresence(follow.state, msg.presence, line.world.now());
  else applyRematch(follow.state, msg.rematch, line.world.now());
  tell(follow, { kind: "changed" });
}

/**
 * Events are missing: requests the whole match, and ignores events until it comes.
 * @param {LineState} line
 * @param {string} id
 * @param {Follow} follow
 */
function askWhole(line, id, follow) {
  if (follow.whole) return;
  follow.whole = true;
  join(line, id, follow);
}

/** @param {LineState} line @param {ErrorMsg} error */
function hearError(line, error) {
  const { follows, pending } = line;
  if (error.client_id && pending.has(error.client_id) && passing.has(error.code)) return sendLater(line, error.client_id);
  const follow = error.match ? follows.get(error.match) : undefined;
  if (error.code === "moved" && error.match && follow) return joinLater(line, error.match, follow, error);
  if (error.client_id) return settle(line, error.client_id, { ok: false, error });
  if (error.code === "too-fast" && !error.match) return sendAllLater(line);
  if (!follow) return;
  if (error.code === "unknown-match") {
    // No command for this match will get another answer.
    for (const [clientId, command] of pending) if (command.match === error.match) settle(line, clientId, { ok: false, error });
  }
  tell(follow, { kind: "refused", error });
}

/** Sends a command again that was refused for the moment. @param {LineState} line @param {string} clientId */
function sendLater(line, clientId) {
  const command = line.pending.get(clientId);
  if (!command) return;
  command.sentAt = null;
  line.world.setTimer(() => {
    // In between, a reconnection may have sent it, or an answer may have come.
    if (line.pending.get(clientId) === command && command.sentAt === null && line.follows.get(command.match)?.ready)
      transmit(line, command);
  }, AGAIN_MS);
}

/**
 * Another server has the match now: joins there, and sends its unanswered commands again.
 * @param {LineState} line
 * @param {string} match
 * @param {Follow} moved
 * @param {ErrorMsg} error
 */
function joinLater(line, match, moved, error) {
  const mine = line.transport;
  for (const command of line.pending.values()) if (command.match === match) command.sentAt = null;
  moved.ready = false;
  // The first time the move takes a moment. If that retry has failed, the match's server cannot be reached, and the reader is told.
  if (moved.lost > 0) tell(moved, { kind: "refused", error });
  line.world.setTimer(() => {
    if (line.transport !== mine || line.follows.get(match) !== moved || moved.ready) return;
    moved.lost++;
    join(line, match, moved);
  }, AGAIN_MS);
}

/**
 * The server does not say which frame it dropped: sends every `join` and every unanswered command again.
 * @param {LineState} line
 */
function sendAllLater(line) {
  const mine = line.transport;
  line.world.setTimer(() => {
    if (line.transport !== mine) return;
    for (const [id, follow] of line.follows) if (!follow.ready || follow.whole) join(line, id, follow);
    for (const command of line.pending.values()) if (line.follows.get(command.match)?.ready) transmit(line, command);
  }, AGAIN_MS);
}
