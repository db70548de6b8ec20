// A client of the Mawe! server: REST, streams, and a line to the socket that survives restarts.

import createClient, { type Client as Rest } from "openapi-fetch";
import { cookieHeader, type Jar, keys, patientFetch, problemOf } from "./http.js";
import { Live } from "./live.js";
import type { paths, ServerMsg } from "./schema.js";
import { stream } from "./stream.js";

export { Closed, Goodbye, MaweError, Overrun, Problem, Refused, Unreachable } from "./errors.js";
export { Live, type Match, type Turn } from "./live.js";
/** The types of all bodies and messages. A later server may have further fields and further values. */
export type * as types from "./schema.js";
export type { paths, ServerMsg } from "./schema.js";

export interface ClientOptions {
  /** A token, in Node.js. Without one the client is an anonymous visitor, or the player of its session's cookie. */
  readonly token?: string;
  /** The milliseconds that one request may wait where the server asks for it (429), and for a server that restarts. */
  readonly patience?: number;
  /** The milliseconds until the answer to a request begins, at most; then it is tried again, if it may be repeated. */
  readonly timeout?: number;
  readonly fetch?: typeof fetch;
}

export class Client {
  readonly url: string;
  /** Every operation of the REST interface: `client.rest.GET("/api/v1/games")`. It resolves to `{ data, error, response }`; see `ok`. */
  readonly rest: Rest<paths>;
  readonly #token: string | undefined;
  readonly #jar: Jar = new Map();
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor(url: string | URL, options: ClientOptions = {}) {
    this.url = String(url).replace(/\/+$/, "");
    this.#token = options.token;
    const base = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request));
    const { token, patience = 60_000, timeout = 30_000 } = options;
    this.#fetch = patientFetch({ token, patience, timeout, fetch: base }, this.#jar);
    this.rest = createClient<paths>({ baseUrl: this.url, fetch: this.#fetch });
    this.rest.use(keys);
  }

  /** Opens the line to the socket. Rejects with `Goodbye` where the server refuses it. */
  async live(): Promise<Live> {
    const live = new Live(this.url, () => ({
      ...(this.#token !== undefined && { Authorization: `Bearer ${this.#token}` }),
      ...(this.#jar.size > 0 && { Cookie: cookieHeader(this.#jar) }),
    }));
    await live.open();
    return live;
  }

  /** The messages of a match without a socket, over any number of connections, each entry once. */
  matchStream(id: string, since?: number): AsyncGenerator<ServerMsg, never, void> {
    return this.#stream(`matches/${encodeURIComponent(id)}/stream`, true, since);
  }

  /** The messages to every socket of a player: challenges and pairings. */
  meStream(): AsyncGenerator<ServerMsg, never, void> {
    return this.#stream("me/stream", false);
  }

  /** The featured match of a game, then the next. */
  tvStream(game: string): AsyncGenerator<ServerMsg, never, void> {
    return this.#stream(`tv/${encodeURIComponent(game)}/stream`, false);
  }

  #stream(path: string, resumes: boolean, since?: number): AsyncGenerator<ServerMsg, never, void> {
    return stream({ url: `${this.url}/api/v1/${path}`, fetch: this.#fetch, since, resumes });
  }
}

/** Returns the content of a good answer: `await ok(client.rest.GET("/api/v1/games"))`. Throws `Problem` for any other. */
export async function ok<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) throw problemOf(response, error);
  return data as T;
}
