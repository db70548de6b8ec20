// Requests that are tried again and that keep the cookies of a session where the platform does not.

import type { Middleware } from "openapi-fetch";
import { newId } from "./core.js";
import { Problem, Unreachable } from "./errors.js";
import { KEYED } from "./keyed.js";
import type { Problem as ProblemBody } from "./schema.js";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;
/** The header of a request that is carried out once, however often it is sent. */
const KEY_HEADER = "Idempotency-Key";
/** Methods of requests that may be repeated. */
const REPEATABLE = ["GET", "PUT", "DELETE"];
/** The request was never sent. */
const UNSENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The pause that the server asks for, in seconds; null where it asks for none. */
export function retryAfter(headers: Headers): number | null {
  const value = headers.get("Retry-After");
  const seconds = Number(value);
  return value === null || Number.isNaN(seconds) ? null : seconds;
}

/** Reads a refusal. A proxy in front answers in its own words. */
export async function problem(response: Response): Promise<Problem> {
  const text = await response.text();
  return problemOf(response, text);
}

export function problemOf(response: Response, content: unknown): Problem {
  let body = content;
  if (typeof content === "string") {
    try {
      body = JSON.parse(content);
    } catch {
      body = null;
    }
  }
  if (typeof body === "object" && body !== null && "code" in body) return new Problem(body as ProblemBody, retryAfter(response.headers));
  const { status, statusText: title } = response;
  const detail = String(content).slice(0, 200);
  return new Problem({ status, code: "not-json", title, detail, request_id: "" }, retryAfter(response.headers));
}

export interface HttpOptions {
  readonly token: string | undefined;
  /** The milliseconds of waiting for one request, at most. */
  readonly patience: number;
  /** The milliseconds until an answer begins, at most. */
  readonly timeout: number;
  readonly fetch: typeof fetch;
}

/** Gives each request that takes a key one of its own, for all its attempts. A key of the program stays. */
export const keys: Middleware = {
  onRequest({ request, schemaPath }) {
    if (KEYED.includes(`${request.method} ${schemaPath}`) && !request.headers.has(KEY_HEADER)) request.headers.set(KEY_HEADER, newId());
    return request;
  },
};

/** The cookies of a session. A browser keeps them by itself, and shows them to nobody. */
export type Jar = Map<string, string>;

export const cookieHeader = (jar: Jar): string => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

/** A `fetch` with the identity of the client and its patience. */
export function patientFetch({ token, patience, timeout, fetch }: HttpOptions, jar: Jar): (request: Request) => Promise<Response> {
  return async (request) => {
    if (token !== undefined) request.headers.set("Authorization", `Bearer ${token}`);
    if (jar.size > 0) request.headers.set("Cookie", cookieHeader(jar));
    // A match carries out a command with one `client_id` once.
    const repeatable =
      REPEATABLE.includes(request.method) || request.headers.has(KEY_HEADER) || new URL(request.url).pathname.endsWith("/commands");
    let left = patience;
    for (let made = 0; ; made++) {
      const own = Math.min(FIRST_PAUSE * 2 ** Math.min(made, 10), LONGEST_PAUSE) * (0.5 + Math.random() / 2);
      let pause = own;
      try {
        const response = await timed(request, timeout, fetch);
        for (const cookie of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
          if (name !== undefined && value !== undefined) jar.set(name, value);
        }
        // A request beyond a limit was not carried out, by any method. A 503 may come after a part of the work.
        const asked = retryAfter(response.headers);
        const { status } = response;
        const again = status === 429 || (repeatable && [502, 503, 504].includes(status));
        if (asked !== null) pause = 1000 * asked + 200 * Math.random();
        if (!again || pause > left) return response;
        await response.body?.cancel();
      } catch (error) {
        const unsent = UNSENT.includes((error as { cause?: { code?: string } }).cause?.code ?? "");
        if (request.signal.aborted || !(unsent || repeatable) || pause > left) {
          throw new Unreachable(`${request.method} ${request.url}: ${String(error)}`, { cause: error });
        }
      }
      left -= pause;
      await delay(pause);
    }
  };
}

/** Fetches an answer that begins within the time limit. Its body may take longer: a stream has no end. */
async function timed(request: Request, timeout: number, fetch: HttpOptions["fetch"]): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException(`no answer within ${timeout} ms`, "TimeoutError")), timeout);
  try {
    return await fetch(request.clone(), { signal: AbortSignal.any([request.signal, limit.signal]) });
  } finally {
    clearTimeout(timer);
  }
}
