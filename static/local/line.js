// @ts-check
// A line to the referee on this device, with the functions of the line to the server (`net/socket.js`) that a match needs, so that a view
// need not tell them apart. Every change is stored before the listeners get it.

import { isCalledOff } from "../core/end-reason.js";
import { newId } from "../core/id.js";
import { other } from "../core/time.js";
import { applyEvent, fromSnapshot } from "../net/match.js";
import { farewell, greeting, opponentOf, reply } from "./manner.js";
import { judge, openTable, snapshotOf } from "./referee.js";

/** @import { Command, Phrase, Side } from "../core/types.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { Answer, LineStatus, MatchListener, MatchNews } from "../net/line.js" */
/** @import { openEngine } from "../engine/engine.js" */
/** @import { Referee as Referees } from "../wasm/rules.js" */
/** @import { Happened } from "./referee.js" */
/** @import { Kept, Store } from "./store.js" */

/** The longest thinking time of the computer: a slow device searches less, and takes no longer. */
const THINK_MS = 5_000;
/** The delay before the engine is asked again, after it could not be loaded. */
const AGAIN_MS = 5_000;

/**
 * @typedef {Object} Followed a match that a view shows
 * @property {ReturnType<typeof openTable>} table
 * @property {MatchState} state
 * @property {Set<MatchListener>} listeners
 * @property {boolean} thinks whether the engine can be asked
 * @property {string | null} asked the position that the engine thinks about, by its `seq`
 * @property {number} answers the phrases of the player that the computer still answers
 * @property {boolean} muted whether the player hears it no more
 * @property {ReturnType<typeof openEngine>} engine
 * @property {Device} device
 */

/** @typedef {{ Referee: typeof Referees, store: Store, openEngine: typeof openEngine, person: { readonly name: string }, now: () => number }} Device */
/** @typedef {ReturnType<typeof createDeviceLine>} DeviceLine */

/** The games that this page has begun and not shown yet: in these alone the computer greets and answers. @type {Set<string>} */
const begun = new Set();

/**
 * Makes and stores a new game; one from a position has no setup.
 * @param {Store} store
 * @param {{ game: string, setup: string, start?: string, turn?: Side, level: number | null, side: Side | "random" }} wish `turn`: the side to
 *   move in the position
 * @returns {string} its id
 */
export function beginMatch(store, { game, setup, start, turn = "first", level, side }) {
  const you = level === null ? "first" : side === "random" ? (Math.random() < 0.5 ? "first" : "second") : side;
  const at = new Date().toISOString();
  const id = newId();
  const times = { created_at: at, changed_at: at };
  store.put({ id, game, setup, start, level, you, moves: [], seq: 0, result: null, turn, ...times, next: null });
  begun.add(id);
  return id;
}

/** @param {Device} device */
export function createDeviceLine(device) {
  /** @type {Map<string, Followed>} */
  const follows = new Map();

  return {
    /** This connection never breaks. @returns {LineStatus} */
    status: () => "open",
    onStatus: () => () => {},
    waiting: () => 0,

    /**
     * @param {string} id
     * @param {MatchListener} listener
     * @returns {() => void} stops following
     */
    follow(id, listener) {
      const isNew = begun.delete(id);
      const followed = follows.get(id) ?? open(device, id);
      if (!followed) {
        listener(null, { kind: "refused", error: unknownMatch(id) });
        return () => {};
      }
      follows.set(id, followed);
      followed.listeners.add(listener);
      listener(followed.state, { kind: "snapshot" });
      if (isNew) greet(followed);
      askComputer(followed);
      return () => {
        followed.listeners.delete(listener);
        if (followed.listeners.size > 0) return;
        follows.delete(id);
        stopComputer(followed);
        followed.table.rules.free();
      };
    },

    /**
     * @param {string} id
     * @param {Command} command
     * @returns {Promise<Answer>}
     */
    async command(id, command) {
      const followed = follows.get(id);
      return followed ? give(followed, followed.table.kept.you, command) : { ok: false, error: unknownMatch(id) };
    },

    /** Begins the same game with the sides changed. @param {string} id the finished match */
    rematch(id) {
      const followed = follows.get(id);
      if (!followed?.state.view.result || followed.state.rematch.next !== null) return;
      const { you, ...same } = followed.table.kept;
      const turn = followed.state.view.plies[0]?.side;
      const next = beginMatch(device.store, { ...same, turn, side: other(you) });
      keep(followed, [], next);
      followed.state.rematch = { offered_by: null, offer_ms: null, next };
      tell(followed, { kind: "changed" });
    },

    /** @param {string} id @param {Phrase} phrase to the computer */
    phrase(id, phrase) {
      const followed = follows.get(id);
      if (followed) hearPhrase(followed, phrase);
    },

    /** Mutes the computer in a game, or ends that. @param {string} id @param {boolean} muted */
    mute(id, muted) {
      const followed = follows.get(id);
      if (followed) followed.muted = muted;
    },

    /** Another tab has changed the stored game. @param {string} id */
    changed(id) {
      const followed = follows.get(id);
      if (followed) reload(followed);
    },
  };
}

/** @param {string} id */
const unknownMatch = (id) => ({ code: "unknown-match", message: "unknown-match", match: id });

/**
 * Opens a stored game; null without one, or if the record is damaged or of rules that no longer exist.
 * @param {Device} device
 * @param {string} id
 * @returns {Followed | null}
 */
function open(device, id) {
  const kept = device.store.get(id);
  if (!kept) return null;
  try {
    const table = openTable(device.Referee, kept);
    const state = fromSnapshot(snapshotOf(table, device.person, true), device.now());
    const talk = { answers: 0, muted: false };
    return { table, state, listeners: new Set(), thinks: true, asked: null, engine: device.openEngine(), device, ...talk };
  } catch {
    return null;
  }
}

/** @param {Followed} followed @param {MatchNews} news */
function tell(followed, news) {
  for (const listener of followed.listeners) listener(followed.state, news);
}

/** Another tab has changed the game: continues from the stored record. @param {Followed} followed */
function reload(followed) {
  const { device, state, thinks } = followed;
  const kept = device.store.get(followed.table.kept.id);
  if (!kept || kept.seq === followed.table.kept.seq) return;
  stopComputer(followed);
  followed.table.rules.free();
  followed.table = openTable(device.Referee, kept);
  // The same object for as long as the match is followed: views keep a reference to it.
  Object.assign(state, fromSnapshot(snapshotOf(followed.table, device.person, thinks), device.now()));
  tell(followed, { kind: "snapshot" });
  askComputer(followed);
}

/**
 * Stores the game after a command.
 * @param {Followed} followed
 * @param {Happened[]} happened
 * @param {string | null} next
 */
function keep({ table, device }, happened, next = table.kept.next) {
  const last = happened.at(-1)?.state;
  /** @type {Kept} */
  const kept = {
    ...table.kept,
    next,
    seq: table.kept.seq + Math.max(1, happened.length),
    changed_at: new Date().toISOString(),
    ...(last ? { moves: table.plies.map(({ move }) => move), result: last.result, turn: last.turn } : {}),
  };
  if (!device.store.put(kept)) return false;
  table.kept = kept;
  return true;
}

/**
 * @param {Followed} followed
 * @param {Side} side
 * @param {Command} command
 * @returns {Answer}
 */
function give(followed, side, command) {
  const { device, state } = followed;
  const { kept } = followed.table;
  const refuse = (/** @type {string} */ code) => ({ ok: /** @type {const} */ (false), error: { code, message: code, match: kept.id } });
  const judged = judge(followed.table, side, command);
  if (!judged.ok) return { ok: false, error: { ...judged.error, match: kept.id } };
  try {
    if (!keep(followed, judged.happened)) {
      reload(followed);
      return refuse("stale-ply");
    }
  } catch {
    // A change that cannot be stored is undone.
    followed.table.rules.free();
    followed.table = openTable(device.Referee, kept);
    return refuse("device-full");
  }
  stopComputer(followed);
  const told = judged.happened.map(({ event, state }, i) => ({ match: kept.id, seq: kept.seq + 1 + i, event, state }));
  for (const msg of told) {
    applyEvent(state, msg, device.now());
    tell(followed, { kind: "event", msg });
  }
  if (state.view.result) bidFarewell(followed);
  askComputer(followed);
  return { ok: true, event: /** @type {NonNullable<typeof told[0]>} */ (told[0]) };
}

/** @param {Followed} followed */
function stopComputer(followed) {
  followed.asked = null;
  followed.engine.stop();
}

/** Asks the engine for a move, if it is the computer's turn, or for the answer to an offer of a draw, which comes first. @param {Followed} followed */
function askComputer(followed) {
  const { state, table } = followed;
  const { kept } = table;
  const { turn, draw_offer, result } = state.view;
  const isOffered = draw_offer !== null && draw_offer === kept.you;
  if (kept.level === null || result || (turn === kept.you && !isOffered) || followed.listeners.size === 0) return;
  const asked = `${kept.seq}`;
  if (followed.asked === asked) return;
  followed.asked = asked;
  const side = other(kept.you);
  (isOffered ? answerTo(followed, side, kept.level) : moveOf(followed, kept.level)).then(
    (commands) => {
      if (commands.length === 0 || followed.asked !== asked) return;
      here(followed, side, true);
      for (const command of commands) give(followed, side, command);
    },
    () => {
      if (followed.asked !== asked) return;
      here(followed, side, false);
      setTimeout(() => {
        if (followed.asked !== asked) return;
        followed.asked = null;
        askComputer(followed);
      }, AGAIN_MS);
    },
  );
}

/** The game as the engine reads it. @param {Kept} kept */
const playedOf = ({ game, setup, start, moves }) => ({
  game,
  ...(start === undefined ? { setup } : { position: start }),
  moves: moves.join(" "),
});

/** The seed of the errors of a level. */
const drawnSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/**
 * The computer's move. An offer of a draw comes before it, as on the server; the referee refuses one that is too soon.
 * @param {Followed} followed
 * @param {number} level
 * @returns {Promise<Command[]>} none if stopped
 */
async function moveOf({ engine, table: { kept }, state }, level) {
  const { ply } = state.view;
  const choice = await engine.choose({ ...playedOf(kept), level, seed: drawnSeed(), movetime_ms: THINK_MS });
  if (!choice) return [];
  const { move, intent } = choice;
  if (intent === "resigns") return [{ kind: "resign" }];
  /** @type {Command} */
  const played = { kind: "move", ply, move };
  return intent === "offers-draw" ? [{ kind: "offer-draw" }, played] : [played];
}

/** @param {Followed} followed @param {Side} side @param {number} level @returns {Promise<Command[]>} none if stopped */
async function answerTo({ engine, table: { kept } }, side, level) {
  const accepts = await engine.draw({ ...playedOf(kept), side, level, seed: drawnSeed() });
  return accepts === undefined ? [] : [{ kind: accepts ? "accept-draw" : "decline-draw" }];
}

/** @param {Followed} followed @param {Side} side @param {boolean} thinks */
function here(followed, side, thinks) {
  if (followed.thinks === thinks) return;
  followed.thinks = thinks;
  followed.state.presence = { ...followed.state.presence, [side]: thinks };
  tell(followed, { kind: "changed" });
}

// Phrases.

/** The computer says a phrase. @param {Followed} followed @param {Phrase} phrase */
function say(followed, phrase) {
  if (!followed.muted) tell(followed, { kind: "said", side: other(followed.table.kept.you), phrase });
}

/** @param {Followed} followed */
function greet(followed) {
  const { id, level } = followed.table.kept;
  if (level === null) return;
  followed.answers = opponentOf(level).answers;
  say(followed, greeting(level, id));
}

/** @param {Followed} followed @param {Phrase} phrase */
function hearPhrase(followed, phrase) {
  const { you, level } = followed.table.kept;
  tell(followed, { kind: "said", side: you, phrase });
  const answer = reply(phrase);
  if (level === null || answer === null || followed.answers === 0) return;
  followed.answers -= 1;
  say(followed, answer);
}

/** The game has just ended. @param {Followed} followed */
function bidFarewell(followed) {
  const { id, level, you } = followed.table.kept;
  const { result, ply } = followed.state.view;
  if (level === null || !result || isCalledOff(result.reason)) return;
  say(followed, farewell(level, id, ply, result.winner === null ? "drawn" : result.winner === you ? "lost" : "won"));
}
