// Streams of lines, over any number of connections: each entry of a match comes once.

import { Backoff } from "./backoff.js";
import { Unreachable } from "./errors.js";
import { delay, problem, retryAfter } from "./http.js";
import type { ServerMsg } from "./schema.js";

/** An empty line comes every ten seconds. */
const TIMEOUT = 30_000;

export interface StreamOptions {
  readonly url: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The last known `seq`. */
  readonly since?: number | undefined;
  /** Whether the stream is one of a match, which goes on after a `seq`. */
  readonly resumes: boolean;
}

/** Returns the messages of a stream until the program leaves the loop. Throws `Problem`. */
export async function* stream({ url, fetch, since, resumes }: StreamOptions): AsyncGenerator<ServerMsg, never, void> {
  const backoff = new Backoff();
  for (;;) {
    let asked = 0;
    const abort = new AbortController();
    const query = resumes && since !== undefined ? `?since=${since}` : "";
    // Outside of `try`: the error of a malformed address is no lost connection.
    const request = new Request(url + query, { signal: abort.signal });
    try {
      const response = await fetch(request);
      if (response.ok) backoff.opened(performance.now());
      if (!response.ok && ![429, 502, 503, 504].includes(response.status)) throw await problem(response);
      if (!response.ok) asked = 1000 * (retryAfter(response.headers) ?? 0);
      if (!resumes) since = undefined;
      for await (const message of response.ok ? lines(response, abort) : []) {
        if (message.t === "closing") asked = message.retry_ms ?? 0;
        else if (message.t === "error" && ["moved", "storage-unavailable"].includes(message.code)) break;
        else if (message.t !== "event" || since === undefined || message.seq > since) {
          if (message.t === "event") since = message.seq;
          if (message.t === "snapshot") since = message.match.seq;
          yield message;
        }
      }
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
    } finally {
      abort.abort();
    }
    await delay(backoff.pause(performance.now(), asked));
  }
}

const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Unreachable ||
  error instanceof TypeError ||
  (error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError"));

/** The messages of one connection. A line that was cut is left out. */
async function* lines(response: Response, abort: AbortController): AsyncGenerator<ServerMsg, void, void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const timer = setTimeout(() => abort.abort(), TIMEOUT);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const message = parsed(part);
      if (message) yield message;
    }
  }
}

function parsed(line: string): ServerMsg | null {
  if (line.trim() === "") return null;
  try {
    return JSON.parse(line) as ServerMsg;
  } catch {
    return null;
  }
}
