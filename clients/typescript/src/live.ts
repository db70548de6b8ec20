// The line to the socket: keeps a connection open, feeds the state of core.ts and writes its frames.

import { connect } from "#connect";
import type { Connection } from "./connect.js";
import { type Followed, isDue, Line, TOO_LATE } from "./core.js";
import { Closed, Goodbye, type MaweError, Refused } from "./errors.js";
import { Feed } from "./feed.js";
import type { ClientMsg, Command, EventMsg, MatchResult, MatchView, PlayerRef, ServerMsg, Side } from "./schema.js";

/** Statuses of the handshake that pass, among those of a client's fault. */
const PASSING_STATUSES = [408, 425, 429];

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: MaweError): void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: MaweError) => void = () => {};
  const promise = new Promise<T>((good, bad) => {
    resolve = good;
    reject = bad;
  });
  return { promise, resolve, reject };
}

/** A match that is followed. It is always as the server last showed it. */
export class Match {
  readonly id: string;
  readonly #live: Live;
  readonly #followed: Followed;

  /** @internal */
  constructor(live: Live, followed: Followed) {
    this.#live = live;
    this.#followed = followed;
    this.id = followed.id;
  }

  /** The whole match, kept up to date. */
  get view(): MatchView {
    if (!this.#followed.view) throw new Closed("the match has not been shown");
    return this.#followed.view;
  }

  /** This player's seat; null for a spectator. */
  get you(): Side | null {
    return this.#followed.you;
  }

  get result(): MatchResult | null {
    return this.view.result;
  }

  /** Does something in the match once, however often the line breaks; resolves to the entry that it became. Rejects with `Refused`. */
  command(command: Command, clientId?: string): Promise<EventMsg> {
    return this.#live.command(this.id, command, clientId);
  }

  resign(): Promise<EventMsg> {
    return this.command({ kind: "resign" });
  }

  /** This player's turns, until the match is over. */
  turns(): AsyncIterableIterator<Turn> {
    return this.#live.turns(this.id);
  }

  leave(): void {
    this.#live.leave(this.id);
  }
}

/** A turn of this player. */
export class Turn {
  readonly game: MatchView["game"];
  readonly ply: number;
  readonly seq: number;
  /** The position in the notation of the game, and all moves that are legal in it. */
  readonly position: string;
  readonly legal: readonly string[];

  /** @internal */
  constructor(readonly match: Match) {
    const { game, ply, seq, position, legal } = match.view;
    this.game = game;
    this.ply = ply;
    this.seq = seq;
    this.position = position;
    this.legal = [...legal];
  }

  /** Plays a move. Resolves to the entry that it became, or to null where the turn was over before it came. Rejects with `Refused`. */
  async play(move: string): Promise<EventMsg | null> {
    try {
      // The name contains the seq that it answers: also another process with the same token plays it once.
      return await this.match.command({ kind: "move", ply: this.ply, move }, `turn-${this.seq}`);
    } catch (error) {
      if (error instanceof Refused && TOO_LATE.includes(error.code)) return null;
      // A program may leave a match as soon as it is over, while a last move is under way.
      if (error instanceof Closed && this.match.result) return null;
      throw error;
    }
  }
}

/** A line to the server that survives broken connections, restarts and deploys. */
export class Live {
  readonly #url: string;
  readonly #headers: () => Record<string, string>;
  readonly #line = new Line();
  readonly #messages = new Set<Feed<ServerMsg>>();
  readonly #turns = new Set<Feed<Turn>>();
  readonly #turnsOf = new Map<string, Set<Feed<Turn>>>();
  readonly #answers = new Map<string, Deferred<EventMsg>>();
  readonly #shown = new Map<string, Deferred<void>>();
  readonly #greeted = deferred<void>();
  #connection: Connection | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended: MaweError | null = null;

  /** @internal Use `client.live()`. */
  constructor(url: string, headers: () => Record<string, string>) {
    this.#url = `${url.replace(/^http/, "ws")}/api/v1/ws`;
    this.#headers = headers;
  }

  /** @internal */
  open(): Promise<void> {
    this.#connect();
    return this.#greeted.promise;
  }

  /** The player of this line; null for an anonymous visitor. */
  get player(): PlayerRef | null {
    return this.#line.player;
  }

  /**
   * All messages from now on, each once. After a new connection comes `hello` again: challenges and pairings may have been missed.
   */
  messages(): AsyncIterableIterator<ServerMsg> {
    return this.#feed(this.#messages);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<ServerMsg> {
    return this.messages();
  }

  /** This player's turns in all followed matches, or in one until it is over: those that are due now, and each that comes, once. */
  turns(match?: string): AsyncIterableIterator<Turn> {
    let feeds = this.#turns;
    if (match !== undefined) {
      feeds = this.#turnsOf.get(match) ?? new Set();
      this.#turnsOf.set(match, feeds);
    }
    const feed = this.#feed(feeds);
    if (this.#ended) return feed;
    for (const followed of this.#line.follows.values()) {
      if (isDue(followed) && (match === undefined || match === followed.id)) feed.put(new Turn(new Match(this, followed)));
    }
    if (match !== undefined && this.#line.follows.get(match)?.view?.result) feed.end(null);
    return feed;
  }

  /** Follows a match. Rejects with `Refused` if there is no such match, or if this line follows 16 already. */
  async join(match: string): Promise<Match> {
    this.#alive();
    const followed = this.#line.follow(match);
    if (!followed.view) {
      const shown = this.#shown.get(match) ?? deferred<void>();
      this.#shown.set(match, shown);
      this.#flush();
      await shown.promise;
    }
    return new Match(this, followed);
  }

  /** Follows a match no longer. Its commands without an answer reject with `Closed`: they may have been carried out. */
  leave(match: string): void {
    this.#line.leave(match);
    this.#tell();
    this.#flush();
  }

  /** As `Match.command`. */
  async command(match: string, command: Command, clientId?: string): Promise<EventMsg> {
    this.#alive();
    const name = this.#line.command(match, command, clientId);
    const answer = this.#answers.get(name) ?? deferred<EventMsg>();
    this.#answers.set(name, answer);
    this.#flush();
    return answer.promise;
  }

  /** Sends any message of the protocol. A subscription (`watch-lobby`, `join-pool`) is repeated on each new connection. */
  send(message: ClientMsg): void {
    this.#alive();
    this.#line.send(message);
    this.#flush();
  }

  /** Closes the line. Iterators end; commands without an answer reject with `Closed`. */
  close(): void {
    this.#finish(null);
  }

  #feed<T>(feeds: Set<Feed<T>>): Feed<T> {
    const feed = new Feed(feeds);
    if (this.#ended) feed.end(this.#ended instanceof Closed ? null : this.#ended);
    return feed;
  }

  #alive(): void {
    if (this.#ended) throw this.#ended;
  }

  #connect(): void {
    const connection = connect(this.#url, this.#headers(), {
      open: () => {
        if (this.#connection !== connection) return;
        this.#line.opened(performance.now());
        this.#flush();
      },
      message: (text) => {
        if (this.#connection !== connection) return;
        this.#line.received(performance.now(), text);
        this.#tell();
        this.#flush();
      },
      end: (how) => {
        if (this.#connection === connection) this.#lost(how);
      },
    });
    this.#connection = connection;
  }

  #lost({ code, status, retryAfter }: { code?: number; status?: number; retryAfter?: number }): void {
    this.#connection = null;
    clearTimeout(this.#timer);
    try {
      if (status && status >= 400 && status < 500 && !PASSING_STATUSES.includes(status)) throw new Goodbye(status);
      const pause = this.#line.closed(performance.now(), code ?? null, 1000 * (retryAfter ?? 0));
      this.#timer = setTimeout(() => this.#connect(), pause);
    } catch (error) {
      this.#finish(error as MaweError);
    }
  }

  #flush(): void {
    const connection = this.#connection;
    if (!connection || !this.#line.isOpen) return;
    const { frames, lookAt, dead } = this.#line.poll(performance.now());
    if (dead) {
      this.#connection = null;
      connection.abort();
      this.#lost({});
      return;
    }
    for (const frame of frames) connection.send(frame);
    clearTimeout(this.#timer);
    if (lookAt !== null) this.#timer = setTimeout(() => this.#flush(), Math.max(lookAt - performance.now(), 1));
  }

  #tell(): void {
    for (const news of this.#line.news.splice(0)) {
      if (news.kind === "settled") this.#settle(news.clientId, news.answer);
      else if (news.kind === "left") {
        this.#shown.get(news.match)?.reject(news.error ?? new Closed("the match was left before it was shown"));
        this.#shown.delete(news.match);
        for (const feed of this.#turnsOf.get(news.match) ?? []) feed.end(news.error);
        this.#turnsOf.delete(news.match);
      } else if (news.kind === "due") {
        const followed = this.#line.follows.get(news.match);
        if (!followed) continue;
        const turn = new Turn(new Match(this, followed));
        for (const feed of [...this.#turns, ...(this.#turnsOf.get(news.match) ?? [])]) feed.put(turn);
      } else this.#tellMessage(news.message);
    }
  }

  #tellMessage(message: ServerMsg): void {
    if (message.t === "hello") this.#greeted.resolve();
    if (message.t === "snapshot") {
      this.#shown.get(message.match.id)?.resolve();
      this.#shown.delete(message.match.id);
    }
    const match = message.t === "snapshot" ? message.match.id : message.t === "event" ? message.match : null;
    if (match !== null && this.#line.follows.get(match)?.view?.result) {
      for (const feed of this.#turnsOf.get(match) ?? []) feed.end(null);
      this.#turnsOf.delete(match);
    }
    for (const feed of [...this.#messages]) feed.put(message);
  }

  #settle(clientId: string, answer: EventMsg | MaweError): void {
    const waiting = this.#answers.get(clientId);
    this.#answers.delete(clientId);
    if (answer instanceof Error) waiting?.reject(answer);
    else waiting?.resolve(answer);
  }

  #finish(error: MaweError | null): void {
    if (this.#ended) return;
    this.#ended = error ?? new Closed("the line is closed");
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#connection = null;
    connection?.close();
    for (const feeds of [this.#messages, this.#turns, ...this.#turnsOf.values()]) for (const feed of [...feeds]) feed.end(error);
    for (const waiting of [...this.#answers.values(), ...this.#shown.values(), this.#greeted]) waiting.reject(this.#ended);
    this.#answers.clear();
    this.#shown.clear();
  }
}
