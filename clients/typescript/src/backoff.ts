// The pauses between connections, of the socket and of streams. Time comes in as an argument, in milliseconds of a steady clock.

/** Pauses before a new connection: doubled each time, between these. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
/** A connection that lasted this long was a good one: the next pause is a short one again. */
const GOOD_CONNECTION = 5_000;

export const between = (least: number, most: number): number => least + Math.random() * (most - least);

export class Backoff {
  #attempts = 0;
  #openedAt: number | null = null;

  /** Notes the beginning of a connection. */
  opened(now: number): void {
    this.#openedAt = now;
  }

  /** Returns the pause before the next connection, after the end of one or a failed attempt. `asked` is the wish of the server. */
  pause(now: number, asked = 0): number {
    if (this.#openedAt !== null && now - this.#openedAt >= GOOD_CONNECTION) this.#attempts = 0;
    this.#openedAt = null;
    const own = Math.min(FIRST_PAUSE * 2 ** this.#attempts, LONGEST_PAUSE) * between(0.5, 1);
    this.#attempts = Math.min(this.#attempts + 1, 16);
    return Math.max(own, asked * between(1, 1.5));
  }
}
