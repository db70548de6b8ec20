// @ts-check
// A line to the referee on this device, with the doors of the line to the server (`net/socket.js`) that a match needs: a view does not know
// which it has. Every change is kept before it is told.

import { newId } from "../core/id.js";
import { other } from "../core/time.js";
import { applyEvent, fromSnapshot } from "../net/match.js";
import { judge, openTable, snapshotOf } from "./referee.js";

/** @import { Command, Side } from "../core/types.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { Answer, LineStatus, MatchListener, MatchNews } from "../net/socket.js" */
/** @import { openEngine } from "../engine/engine.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Happened, Table } from "./referee.js" */
/** @import { Kept, Store } from "./store.js" */

/** No longer than this the computer thinks: on a slow device it sees less, and is no slower. */
const THINK_MS = 5_000;
/** After this it is asked again, where it could not be loaded. */
const AGAIN_MS = 5_000;

/**
 * @typedef {Object} Followed a match that a view shows
 * @property {Table} table
 * @property {MatchState} state
 * @property {Set<MatchListener>} listeners
 * @property {boolean} thinks whether the computer can be asked
 * @property {string | null} asked the position that it thinks about, by its `seq`
 * @property {ReturnType<typeof openEngine>} engine
 */

/** @typedef {{ Game: typeof Rules, store: Store, openEngine: typeof openEngine, person: { readonly name: string }, now: () => number }} Device */
/** @typedef {ReturnType<typeof createDeviceLine>} DeviceLine */

/**
 * A game that begins now.
 * @param {Store} store
 * @param {{ game: string, setup: string, level: number | null, side: Side | "random" }} wish
 * @returns {string} its id
 */
export function beginMatch(store, { game, setup, level, side }) {
  const you = level === null ? "first" : side === "random" ? (Math.random() < 0.5 ? "first" : "second") : side;
  const at = new Date().toISOString();
  const id = newId();
  store.put({ id, game, setup, level, you, moves: [], seq: 0, result: null, turn: "first", created_at: at, changed_at: at, next: null });
  return id;
}

/** @param {Device} device */
export function createDeviceLine({ Game, store, openEngine, person, now }) {
  /** @type {Map<string, Followed>} */
  const follows = new Map();

  /** @param {Followed} followed @param {MatchNews} news */
  function tell(followed, news) {
    for (const listener of followed.listeners) listener(followed.state, news);
  }

  /** @param {Kept} kept @returns {Followed} */
  function open(kept) {
    const table = openTable(Game, kept);
    return {
      table,
      state: fromSnapshot(snapshotOf(table, person, true), now()),
      listeners: new Set(),
      thinks: true,
      asked: null,
      engine: openEngine(),
    };
  }

  /** Another tab has gone on with the game: so do we, from what is kept. @param {Followed} followed */
  function reload(followed) {
    const kept = store.get(followed.table.kept.id);
    if (!kept || kept.seq === followed.table.kept.seq) return;
    followed.engine.stop();
    followed.asked = null;
    followed.table.rules.free();
    followed.table = openTable(Game, kept);
    // The same object for as long as it is followed: views hold on to it.
    Object.assign(followed.state, fromSnapshot(snapshotOf(followed.table, person, followed.thinks), now()));
    tell(followed, { kind: "snapshot" });
    askComputer(followed);
  }

  /**
   * Keeps what a command has made of the game.
   * @param {Followed} followed
   * @param {Happened[]} happened
   * @param {string | null} next
   */
  function keep({ table }, happened, next = table.kept.next) {
    const last = happened.at(-1)?.state;
    /** @type {Kept} */
    const kept = {
      ...table.kept,
      next,
      seq: table.kept.seq + Math.max(1, happened.length),
      changed_at: new Date().toISOString(),
      ...(last ? { moves: table.plies.map(({ move }) => move), result: last.result, turn: last.turn } : {}),
    };
    if (!store.put(kept)) return false;
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
    const { kept } = followed.table;
    const refuse = (/** @type {string} */ code) => ({ ok: /** @type {const} */ (false), error: { code, message: code, match: kept.id } });
    const judged = judge(followed.table, side, command);
    if (!judged.ok) return judged;
    try {
      if (!keep(followed, judged.happened)) {
        reload(followed);
        return refuse("stale-ply");
      }
    } catch {
      // What cannot be kept has not happened.
      followed.table.rules.free();
      followed.table = openTable(Game, kept);
      return refuse("device-full");
    }
    followed.engine.stop();
    followed.asked = null;
    const told = judged.happened.map(({ event, state }, i) => ({ match: kept.id, seq: kept.seq + 1 + i, event, state }));
    for (const msg of told) {
      applyEvent(followed.state, msg, now());
      tell(followed, { kind: "event", msg });
    }
    askComputer(followed);
    return { ok: true, event: /** @type {NonNullable<typeof told[0]>} */ (told[0]) };
  }

  /** Where it is the computer's turn, it is asked for its move. @param {Followed} followed */
  function askComputer(followed) {
    const { state, table, engine } = followed;
    const { kept } = table;
    const turn = state.view.turn;
    if (kept.level === null || state.view.result || turn === kept.you || followed.listeners.size === 0) return;
    const asked = `${kept.seq}`;
    if (followed.asked === asked) return;
    followed.asked = asked;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    engine.choose({ game: kept.game, setup: kept.setup, moves: kept.moves.join(" "), level: kept.level, seed, movetime_ms: THINK_MS }).then(
      (move) => {
        if (move === undefined || followed.asked !== asked) return;
        here(followed, turn, true);
        give(followed, turn, { kind: "move", ply: state.view.ply, move });
      },
      () => {
        if (followed.asked !== asked) return;
        here(followed, turn, false);
        setTimeout(() => {
          if (followed.asked !== asked) return;
          followed.asked = null;
          askComputer(followed);
        }, AGAIN_MS);
      },
    );
  }

  /** @param {Followed} followed @param {Side} side @param {boolean} thinks */
  function here(followed, side, thinks) {
    if (followed.thinks === thinks) return;
    followed.thinks = thinks;
    followed.state.presence = { ...followed.state.presence, [side]: thinks };
    tell(followed, { kind: "changed" });
  }

  return {
    /** It never breaks. @returns {LineStatus} */
    status: () => "open",
    onStatus: () => () => {},
    waiting: () => 0,

    /**
     * @param {string} id
     * @param {MatchListener} listener
     * @returns {() => void} stops following
     */
    follow(id, listener) {
      let followed = follows.get(id);
      if (!followed) {
        const kept = store.get(id);
        try {
          followed = kept ? open(kept) : undefined;
        } catch {
          // Damaged, or of rules that are no more.
        }
        if (!followed) {
          listener(null, { kind: "refused", error: { code: "unknown-match", message: "unknown-match", match: id } });
          return () => {};
        }
        follows.set(id, followed);
      }
      const mine = followed;
      mine.listeners.add(listener);
      listener(mine.state, { kind: "snapshot" });
      askComputer(mine);
      return () => {
        mine.listeners.delete(listener);
        if (mine.listeners.size > 0) return;
        follows.delete(id);
        mine.asked = null;
        mine.engine.stop();
        mine.table.rules.free();
      };
    },

    /**
     * @param {string} id
     * @param {Command} command
     * @returns {Promise<Answer>}
     */
    async command(id, command) {
      const followed = follows.get(id);
      if (!followed) return { ok: false, error: { code: "unknown-match", message: "unknown-match", match: id } };
      return give(followed, followed.table.kept.you, command);
    },

    /** The same once more, sides changed. @param {string} id the finished match */
    rematch(id) {
      const followed = follows.get(id);
      if (!followed?.state.view.result || followed.state.rematch.next !== null) return;
      const { game, setup, level, you } = followed.table.kept;
      const next = beginMatch(store, { game, setup, level, side: other(you) });
      keep(followed, [], next);
      followed.state.rematch = { offered_by: null, next };
      tell(followed, { kind: "changed" });
    },

    /** Here nobody hears it. */
    phrase() {},
    mute() {},

    /** What is kept has changed: by another tab. @param {string} id */
    changed(id) {
      const followed = follows.get(id);
      if (followed) reload(followed);
    },
  };
}
