// The state of a line to the server without any I/O: followed matches, commands without an answer, frames to send. Time comes in as an argument, in
// milliseconds of a steady clock. docs/protocol.md ("What a client must do") has the rules; live.ts opens the connections and carries the
// frames. The same as _core.py of the library in Python; tests/clients/conformance.py plays the same scenarios with both.

import { Backoff, between } from "./backoff.js";
import { Closed, Goodbye, type MaweError, Overrun, Refused } from "./errors.js";
import type { ClientMsg, Command, ErrorMsg, EventMsg, MatchView, PlayerRef, ServerMsg, ServerMsgError, Side } from "./schema.js";

/** The server looks at 15 frames a second and 40 at once; this stays below both. */
const FRAMES_PER_MS = 12 / 1000;
const FRAMES_AT_ONCE = 24;
/** Pauses before another `join`: doubled each time, between these. */
const FIRST_REJOIN = 100;
const LONGEST_REJOIN = 5_000;
/** Commands without an answer, at most. */
const MOST_COMMANDS = 1_000;
/** Close codes after which a client does not come back: the session has ended; the frames are no messages. */
const FINAL_CODES = [1000, 1003];
/** Errors of a match that cannot be reached for the moment: it is joined again. */
const PASSING = ["moved", "storage-unavailable", "not-joined"];
/** Errors of a `join` that another `join` does not mend. */
const JOIN_REFUSALS = ["unknown-match", "too-many-matches"];
/** The pause after `too-fast`. */
const TOO_FAST_PAUSE = 1_000;
/** The forms of ids: the server answers a frame with any other id by an error that names neither the match nor the command. */
const MATCH_ID = /^[0-9A-Za-z]{12}$/;
const CLIENT_ID = /^[0-9A-Za-z_-]{1,40}$/;
/** Subscriptions, and the kind of message that answers each. */
const ANSWERS: ReadonlyMap<string, ServerMsg["t"]> = new Map([
  ["watch-lobby", "lobby"],
  ["watch-tv", "tv"],
  ["watch-event", "event-state"],
  ["watch-chat", "chat"],
  ["join-pool", "pool"],
]);
/** Errors of a move that came too late: the events show the new position. */
export const TOO_LATE = ["stale-ply", "match-over", "not-your-turn"];

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
  readonly frame: string;
  sent: boolean;
}

/** A message that is repeated on each connection until its opposite. */
interface Subscription {
  /** The kind of message that answers it. */
  readonly answer: ServerMsg["t"];
  /** Its game, match, room or pool, as the fields of messages name them. */
  readonly subject: Readonly<Record<string, unknown>>;
  readonly frame: string;
  /** Whether the server has answered it on this connection. */
  answered: boolean;
}

export type News =
  | { readonly kind: "settled"; readonly clientId: string; readonly answer: EventMsg | MaweError }
  | { readonly kind: "due"; readonly match: string }
  /** The match is not followed any more: the server has refused it, or, without an error, the program has left it. */
  | { readonly kind: "left"; readonly match: string; readonly error: Refused | null }
  | { readonly kind: "message"; readonly message: ServerMsg };

export const isDue = ({ ready, view, you }: Followed): boolean =>
  ready && view !== null && you !== null && view.turn === you && view.result === null;

/** A random id. `crypto.randomUUID` is absent on pages without TLS. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The error of the server, where the frame need not be sent to know it. */
const refused = (code: ErrorMsg["code"], message: string): Refused => new Refused({ code, message });

const hasSubjectOf = ({ subject }: Subscription, message: ServerMsg): boolean =>
  Object.entries(subject).every(([name, value]) => (message as Readonly<Record<string, unknown>>)[name] === value);

/** One player's line, over any number of connections. */
export class Line {
  player: PlayerRef | null = null;
  readonly follows = new Map<string, Followed>();
  readonly pending = new Map<string, Pending>();
  /** Subscriptions, repeated on each connection until their end: the lobby, TV, a chat, a pool. */
  readonly standing = new Map<string, Subscription>();
  /** News for the driver, oldest first. */
  readonly news: News[] = [];
  isOpen = false;
  #out: string[] = [];
  #tokens = FRAMES_AT_ONCE;
  #countedAt = 0;
  readonly #backoff = new Backoff();
  #heardAt = 0;
  #pinged = false;
  #heartbeat = 10_000;
  #stayAway = 0;
  #subscribeAt: number | null = null;

  // The connection.

  /** A connection stands: resumes every match, and asks again for everything that goes on. */
  opened(now: number): void {
    this.isOpen = true;
    this.#backoff.opened(now);
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
    for (const subscription of this.standing.values()) subscription.answered = false;
    this.#subscribe();
  }

  /** Handles the end of the connection; returns the pause before the next. Throws `Goodbye` if the server wants no other. */
  closed(now: number, code: number | null, retryAfter = 0): number {
    this.isOpen = false;
    this.#out = [];
    for (const followed of this.follows.values()) {
      followed.ready = false;
      followed.rejoinAt = null;
    }
    for (const command of this.pending.values()) command.sent = false;
    if (code !== null && FINAL_CODES.includes(code)) throw new Goodbye(code);
    return this.#backoff.pause(now, Math.max(this.#stayAway, retryAfter));
  }

  /** Returns the frames to send now, the time of the next look, and whether the connection is dead. */
  poll(now: number): { frames: string[]; lookAt: number | null; dead: boolean } {
    if (!this.isOpen) return { frames: [], lookAt: null, dead: false };
    const silent = now - this.#heardAt;
    if (silent >= 3 * this.#heartbeat) return { frames: [], lookAt: null, dead: true };
    if (silent >= this.#heartbeat && !this.#pinged) {
      this.#pinged = true;
      this.#out.unshift('{"t":"ping"}');
    }
    let lookAt = this.#heardAt + (this.#pinged ? 3 : 1) * this.#heartbeat;
    for (const followed of this.follows.values()) {
      if (followed.rejoinAt === null) continue;
      if (followed.rejoinAt <= now) this.#join(followed);
      else lookAt = Math.min(lookAt, followed.rejoinAt);
    }
    if (this.#subscribeAt !== null) {
      if (this.#subscribeAt <= now) this.#subscribe();
      else lookAt = Math.min(lookAt, this.#subscribeAt);
    }
    this.#tokens = Math.min(FRAMES_AT_ONCE, this.#tokens + (now - this.#countedAt) * FRAMES_PER_MS);
    this.#countedAt = now;
    const frames = this.#out.splice(0, Math.floor(this.#tokens));
    this.#tokens -= frames.length;
    if (this.#out.length > 0) lookAt = Math.min(lookAt, now + (1 - this.#tokens) / FRAMES_PER_MS);
    return { frames, lookAt, dead: false };
  }

  // Requests of the program.

  /** Follows a match. Throws `Refused` for a malformed id. */
  follow(match: string): Followed {
    const known = this.follows.get(match);
    if (known) return known;
    if (!MATCH_ID.test(match)) throw refused("unknown-match", `${JSON.stringify(match)} is no id of a match`);
    const followed: Followed = { id: match, view: null, you: null, ready: false, joins: 0, rejoinAt: null, whole: false, asked: null };
    this.follows.set(match, followed);
    if (this.isOpen) this.#join(followed);
    return followed;
  }

  leave(match: string): void {
    if (!this.follows.delete(match)) return;
    if (this.isOpen) this.#out.push(written({ t: "leave", match }));
    this.#left(match, null);
  }

  /** Sends a command until it is answered; returns its name. Throws `Refused` for a malformed id, and the errors of `JSON.stringify`. */
  command(match: string, command: Command, clientId: string = newId()): string {
    if (this.pending.has(clientId)) return clientId;
    if (!CLIENT_ID.test(clientId))
      throw refused("bad-frame", `the name ${JSON.stringify(clientId)} of a command is not 1 to 40 letters, digits, - or _`);
    if (this.pending.size >= MOST_COMMANDS) throw new Overrun(`${MOST_COMMANDS} commands wait for an answer`);
    const seq = this.follows.get(match)?.view?.seq ?? 0;
    // Written before the command counts: one that is no JSON must not wait for an answer.
    const frame = written({ t: "command", match, client_id: clientId, seq, command });
    const followed = this.follow(match);
    this.pending.set(clientId, { match, frame, sent: false });
    this.#transmit(followed);
    return clientId;
  }

  /** Sends any other message; one that begins something is sent again on each new connection, until its opposite. */
  send(message: ClientMsg): void {
    const { t, ...rest } = message;
    const frame = written(message);
    const noun = t.slice(t.indexOf("-") + 1);
    // A pool is the casual one where the field is left out.
    const subject = noun === "pool" ? { rated: false, ...rest } : rest;
    const key = JSON.stringify([noun, Object.entries(subject).sort()]);
    const answer = ANSWERS.get(t);
    if (answer) this.standing.set(key, { answer, subject, frame, answered: false });
    else if (t.startsWith("unwatch-") || t === "leave-pool") this.standing.delete(key);
    if (this.isOpen) this.#out.push(frame);
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
        for (const [key, subscription] of this.standing) {
          if (subscription.answer === "pool" && (message.t === "paired" || hasSubjectOf(subscription, message))) this.standing.delete(key);
        }
    }
    for (const subscription of this.standing.values())
      if (subscription.answer === message.t && hasSubjectOf(subscription, message)) subscription.answered = true;
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
      // The frame was not looked at, and the error does not name it. It may be any without an answer.
      for (const each of this.follows.values()) this.#later(now, each, TOO_FAST_PAUSE);
      this.#subscribeAt = now + TOO_FAST_PAUSE;
    } else if (followed && PASSING.includes(code)) {
      this.#later(now, followed);
    } else if (client_id) {
      if (this.pending.delete(client_id)) this.news.push({ kind: "settled", clientId: client_id, answer: new Refused(message) });
    } else if (followed && JOIN_REFUSALS.includes(code)) {
      this.follows.delete(followed.id);
      this.#left(followed.id, new Refused(message));
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
    this.#out.push(written({ t: "join", match: followed.id, ...since }));
  }

  /** Sends each subscription without an answer. */
  #subscribe(): void {
    this.#subscribeAt = null;
    for (const { answered, frame } of this.standing.values()) if (!answered && !this.#out.includes(frame)) this.#out.push(frame);
  }

  /** Ends the commands of a match that is not followed any more: they are not sent again. */
  #left(match: string, error: Refused | null): void {
    for (const [clientId, command] of this.pending) {
      if (command.match !== match) continue;
      this.pending.delete(clientId);
      const answer = error ?? new Closed("the match was left before the command was answered");
      this.news.push({ kind: "settled", clientId, answer });
    }
    this.news.push({ kind: "left", match, error });
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

const written = (message: ClientMsg): string => JSON.stringify(message);

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
