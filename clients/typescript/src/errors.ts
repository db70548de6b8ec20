// The errors of this package.

import type { ErrorMsg, Problem as ProblemBody } from "./schema.js";

/** Every error of this package. */
export class MaweError extends Error {
  override name = "MaweError";
}

/** A request was refused (RFC 9457). `code` is stable. */
export class Problem extends MaweError {
  override name = "Problem";
  readonly code: string;
  readonly status: number;

  constructor(
    readonly body: ProblemBody,
    /** The pause that the server asks for, in seconds. */
    readonly retryAfter: number | null = null,
  ) {
    super(`${body.code}: ${body.detail}`);
    this.code = body.code;
    this.status = body.status;
  }
}

/** The server refused a message on the socket. `code` is stable, and so is `why`, the rule that an illegal move breaks. */
export class Refused extends MaweError {
  override name = "Refused";
  readonly code: string;
  readonly why: string | null;

  constructor(readonly error: ErrorMsg) {
    super(`${error.code}: ${error.message}`);
    this.code = error.code;
    this.why = error.why ?? null;
  }
}

/**
 * The server does not want this client back: the token is revoked or the session has ended (1000), the frames are no messages (1003), or
 * the handshake was refused (an HTTP status).
 */
export class Goodbye extends MaweError {
  override name = "Goodbye";

  constructor(readonly code: number) {
    super(`the server does not want this client back (${code})`);
  }
}

/** The program has closed the line, or left the match, before the answer came. A command may have been carried out. */
export class Closed extends MaweError {
  override name = "Closed";
}

/** The program reads more slowly than messages come, or sends more than is answered. */
export class Overrun extends MaweError {
  override name = "Overrun";
}

/** No answer came to a request. It may have been carried out, if it was no `GET`. */
export class Unreachable extends MaweError {
  override name = "Unreachable";
}
