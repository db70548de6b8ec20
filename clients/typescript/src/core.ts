// The state of a line to the server without any I/O: followed matches, commands without an answer, frames to send. Time comes in as an argument, in
// milliseconds of a steady clock. docs/protocol.md ("What a client must do") has the rules; live.ts opens the connections and carries the
// frames. The same as _core.py of the library in Python; tests/clients/conformance.py plays the same scenarios with both.

import { Goodbye, Overrun } from "./errors.js";
import type { ClientMsg, Command, ErrorMsg, EventMsg, MatchView, PlayerRef, ServerMsg, ServerMsgError, Side } from "./schema.js";

/** The server looks at 15 frames a second and 40 at once; this stays below both. */
const FRAMES_PER_MS = 12 / 1000;
const FRAMES_AT_ONCE = 24;
/** Pauses before a new connection, and before another `join`: doubled each time, between these. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
const FIRST_REJOIN = 100;
const LONGEST_REJOIN = 5_000;
/** A connection that lasted this long was a good one: the next pause is a short one again. */
const GOOD_LINE = 5_000;
/** Commands without an answer, at most. */
const MOST_COMMANDS = 1_000;
/** The server does not want these back: the session has ended; the frames are no messages. */
const FINAL_CODES = [1000, 1003];
/** The match cannot be reached for the moment: ask again. */
const PASSING = ["moved", "storage-unavailable", "not-joined", "too-fast"];
/** The move came too late, which is no fault of it. */
export const TOO_LATE = ["stale-ply", "match-over", "not-your-turn"];
const BEGINNINGS = ["watch-lobby", "watch-tv", "watch-chat", "join-pool"];

/** A match that a line follows. */
export interface Followed {
  readonly id: string;
  view: MatchView | null;
  you: Side | null;
  /** Whether the server has answered `join` on this connection. */
  ready: boolean;
  /** How often `join` was sent since the last answer. */
  joins: number;
  rejoinAt: number | null;
  /** Whether the next `join` asks for all of it, because entries are missing. */
  whole: boolean;
  /** The ply that was last offered as a turn. */
  asked: number | null;
}

interface Pending {
  readonly match: string;
  readonly frame: ClientMsg;
  sent: boolean;
}

export type News =
  | { readonly kind: "settled"; readonly clientId: string; readonly answer: EventMsg | ErrorMsg }
  | { readonly kind: "due"; readonly match: string }
  | { readonly kind: "refusal"; readonly match: string; readonly error: ErrorMsg }
  | { readonly kind: "message"; readonly message: ServerMsg };

export const isDue = ({ ready, view, you }: Followed): boolean =>
  ready && view !== null && you !== null && view.turn === you && view.result === null;

const between = (least: number, most: number): number => least + Math.random() * (most - least);

/** One player's line, over any number of connections. */
export class Line {
  player: PlayerRef | null = null;
  readonly follows = new Map<string, Followed>();
  readonly pending = new Map<string, Pending>();
  /** Subscriptions, repeated on each connection until their end: the lobby, TV, a chat, a pool. */
  readonly standing = new Map<string, ClientMsg>();
  /** News for the driver, oldest first. */
  readonly news: News[] = [];
  isOpen = false;
  #out: ClientMsg[] = [];
  #tokens = FRAMES_AT_ONCE;
  #countedAt = 0;
  #openedAt = 0;
  #heardAt = 0;
  #pinged = false;
  #heartbeat = 10_000;
  #attempts = 0;
  #stayAway = 0;

  // The connection.

  /** A connection stands: resumes every match, and asks again for everything that goes on. */
  opened(now: number): void {
    this.isOpen = true;
    this.#openedAt = now;
    this.#heardAt = now;
    this.#pinged = false;
    this.#tokens = FRAMES_AT_ONCE;
    this.#countedAt = now;
    this.#stayAway = 0;
    this.#out = [];
    for (const followed of this.follows.values()) {
      followed.joins = 0;
      this.#join(followed);
    }
    this.#out.push(...this.standing.values());
  }

  /** The connection has ended; returns the pause before the next. Throws `Goodbye` where there shall be none. */
  closed(now: number, code: number | null, retryAfter = 0): number {
    if (this.isOpen && now - this.#openedAt >= GOOD_LINE) this.#attempts = 0;
    this.isOpen = false;
    this.#out = [];
    for (const followed of this.follows.values()) {
      followed.ready = false;
      followed.rejoinAt = null;
    }
    for (const command of this.pending.values()) command.sent = false;
    if (code !== null && FINAL_CODES.includes(code)) throw new Goodbye(code);
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#attempts, LONGEST_PAUSE) * between(0.5, 1);
    this.#attempts = Math.min(this.#attempts + 1, 16);
    return Math.max(pause, Math.max(this.#stayAway, retryAfter) * between(1, 1.5));
  }

  /** Returns the frames to send now, the time of the next look, and whether the connection is dead. */
  poll(now: number): { frames: string[]; lookAt: number | null; dead: boolean } {
    if (!this.isOpen) return { frames: [], lookAt: null, dead: false };
    const silent = now - this.#heardAt;
    if (silent >= 3 * this.#heartbeat) return { frames: [], lookAt: null, dead: true };
    if (silent >= this.#heartbeat && !this.#pinged) {
      this.#pinged = true;
      this.#out.unshift({ t: "ping" });
    }
    let lookAt = this.#heardAt + (this.#pinged ? 3 : 1) * this.#heartbeat;
    for (const followed of this.follows.values()) {
      if (followed.rejoinAt === null) continue;
      if (followed.rejoinAt <= now) this.#join(followed);
      else lookAt = Math.min(lookAt, followed.rejoinAt);
    }
    this.#tokens = Math.min(FRAMES_AT_ONCE, this.#tokens + (now - this.#countedAt) * FRAMES_PER_MS);
    this.#countedAt = now;
    const frames = this.#out.splice(0, Math.floor(this.#tokens)).map((message) => JSON.stringify(message));
    this.#tokens -= frames.length;
    if (this.#out.length > 0) lookAt = Math.min(lookAt, now + (1 - this.#tokens) / FRAMES_PER_MS);
    return { frames, lookAt, dead: false };
  }

  // Requests of the program.

  follow(match: string): Followed {
    const known = this.follows.get(match);
    if (known) return known;
    const followed: Followed = { id: match, view: null, you: null, ready: false, joins: 0, rejoinAt: null, whole: false, asked: null };
    this.follows.set(match, followed);
    if (this.isOpen) this.#join(followed);
    return followed;
  }

  leave(match: string): void {
    if (this.follows.delete(match) && this.isOpen) this.#out.push({ t: "leave", match });
  }

  /** Puts a command on its way, as often as it takes; returns its name. */
  command(match: string, command: Command, clientId: string = crypto.randomUUID()): string {
    if (this.pending.has(clientId)) return clientId;
    if (this.pending.size >= MOST_COMMANDS) throw new Overrun(`${MOST_COMMANDS} commands wait for an answer`);
    const followed = this.follow(match);
    const frame: ClientMsg = { t: "command", match, client_id: clientId, seq: followed.view?.seq ?? 0, command };
    this.pending.set(clientId, { match, frame, sent: false });
    this.#transmit(followed);
    return clientId;
  }

  /** Sends any other message; one that begins something is sent again on each new connection, until its opposite. */
  send(message: ClientMsg): void {
    const { t, ...rest } = message;
    const key = JSON.stringify([t.slice(t.indexOf("-")), Object.entries(rest).sort()]);
    if (BEGINNINGS.includes(t)) this.standing.set(key, message);
    else if (t.startsWith("unwatch-") || t === "leave-pool") this.standing.delete(key);
    if (this.isOpen) this.#out.push(message);
  }

  // Messages of the server.

  /** Takes one frame. A frame that is no message, and a message of an unknown kind, are no error. */
  received(now: number, text: string): void {
    this.#heardAt = now;
    this.#pinged = false;
    const message = parsed(text);
    if (!message) return;
    switch (message.t) {
      case "pong":
        return;
      case "closing":
        this.#stayAway = message.retry_ms ?? 0;
        return;
      case "snapshot":
        this.#snapshot(message);
        return;
      case "event":
        this.#event(message);
        return;
      case "joined":
        this.#joined(now, message);
        return;
      case "error":
        this.#error(now, message);
        return;
      case "hello":
        this.player = message.player;
        this.#heartbeat = Math.max(message.heartbeat_ms, 100);
        break;
      case "paired":
      case "pool-left":
        for (const [key, frame] of this.standing) {
          if (frame.t !== "join-pool") continue;
          if (message.t === "paired" || (frame.game === message.game && frame.pool === message.pool)) this.standing.delete(key);
        }
    }
    this.#tell(message);
  }

  #tell(message: ServerMsg): void {
    this.news.push({ kind: "message", message });
  }

  #snapshot(message: ServerMsg & { t: "snapshot" }): void {
    const followed = this.follows.get(message.match.id);
    if (!followed) return;
    // One that came late must not take the place of newer knowledge, unless it was asked for.
    if (followed.ready && followed.view && message.match.seq < followed.view.seq) return;
    followed.view = message.match;
    followed.you = message.you;
    followed.whole = false;
    this.#answered(followed);
    this.#tell(message);
    this.#offer(followed);
  }

  #event(message: ServerMsg & { t: "event" }): void {
    const followed = this.follows.get(message.match);
    this.#settle(message, followed);
    if (!followed?.view || message.seq <= followed.view.seq) return;
    if (message.seq > followed.view.seq + 1) {
      // Some are missing. While a `join` waits for its answer they are under way.
      if (followed.ready) this.#join(followed);
      return;
    }
    applyEvent(followed.view, message);
    this.#tell(message);
    this.#offer(followed);
  }

  #joined(now: number, message: ServerMsg & { t: "joined" }): void {
    const followed = this.follows.get(message.match);
    if (!followed?.view) return;
    if (followed.view.seq < message.seq) {
      followed.whole = true;
      this.#later(now, followed);
      return;
    }
    followed.you = message.you;
    followed.view.clock = message.clock;
    this.#answered(followed);
    this.#tell(message);
    this.#offer(followed);
  }

  #error(now: number, message: ServerMsgError): void {
    const { code, match, client_id } = message;
    const followed = match ? this.follows.get(match) : undefined;
    if (code === "too-fast" && !match) {
      // The frame was not looked at, and nobody says which it was.
      for (const each of this.follows.values()) this.#later(now, each, 1000);
      this.#out.push(...this.standing.values());
    } else if (followed && PASSING.includes(code)) {
      this.#later(now, followed);
    } else if (client_id) {
      if (this.pending.delete(client_id)) this.news.push({ kind: "settled", clientId: client_id, answer: message });
    } else if (followed && (code === "unknown-match" || code === "too-many-matches")) {
      this.follows.delete(followed.id);
      this.news.push({ kind: "refusal", match: followed.id, error: message });
    } else {
      this.#tell(message);
    }
  }

  #settle(message: EventMsg, followed: Followed | undefined): void {
    const { client_id, match, event } = message;
    if (!client_id || this.pending.get(client_id)?.match !== match) return;
    // The opponent's names are a space of their own, and may be the same.
    if (event.side && followed?.you && event.side !== followed.you) return;
    this.pending.delete(client_id);
    this.news.push({ kind: "settled", clientId: client_id, answer: message });
  }

  // Consequences.

  #join(followed: Followed): void {
    followed.ready = false;
    followed.rejoinAt = null;
    followed.joins += 1;
    const since = followed.view && !followed.whole ? { since: followed.view.seq } : {};
    this.#out.push({ t: "join", match: followed.id, ...since });
  }

  /** Joins again after a pause, longer each time; commands without an answer are sent again after it. */
  #later(now: number, followed: Followed, least = 0): void {
    followed.ready = false;
    for (const command of this.pending.values()) if (command.match === followed.id) command.sent = false;
    if (followed.rejoinAt !== null) return;
    const pause = Math.min(FIRST_REJOIN * 2 ** Math.min(followed.joins, 10), LONGEST_REJOIN) * between(0.5, 1);
    followed.rejoinAt = now + Math.max(pause, least);
  }

  #answered(followed: Followed): void {
    followed.ready = true;
    followed.joins = 0;
    followed.rejoinAt = null;
    this.#transmit(followed);
  }

  #transmit(followed: Followed): void {
    if (!this.isOpen || !followed.ready) return;
    for (const command of this.pending.values()) {
      if (command.match !== followed.id || command.sent) continue;
      command.sent = true;
      this.#out.push(command.frame);
    }
  }

  /** Offers a turn once. */
  #offer(followed: Followed): void {
    if (!followed.ready || !followed.view) return;
    if (!isDue(followed)) {
      followed.asked = null;
    } else if (followed.asked !== followed.view.ply) {
      followed.asked = followed.view.ply;
      this.news.push({ kind: "due", match: followed.id });
    }
  }
}

function parsed(text: string): ServerMsg | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && "t" in message ? (message as ServerMsg) : undefined;
  } catch {
    return undefined;
  }
}

function applyEvent(view: MatchView, { event, seq, state }: EventMsg): void {
  Object.assign(view, state);
  view.seq = seq;
  if (event.kind === "move") {
    const { kind: _, ...ply } = event;
    view.plies.push(ply);
  } else if (event.kind === "takeback") {
    view.plies.splice(view.plies.length - event.plies, event.plies);
  }
}
