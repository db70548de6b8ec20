// An iterator over future items.

import { type MaweError, Overrun } from "./errors.js";

/** Messages that wait for the program to read them, at most. */
const MOST_WAITING = 4_096;

export class Feed<T> implements AsyncIterableIterator<T> {
  readonly #feeds: Set<Feed<T>>;
  readonly #items: T[] = [];
  readonly #readers: { resolve(result: IteratorResult<T>): void; reject(error: MaweError): void }[] = [];
  #ended = false;
  #error: MaweError | null = null;

  constructor(feeds: Set<Feed<T>>) {
    this.#feeds = feeds;
    feeds.add(this);
  }

  put(item: T): void {
    const reader = this.#readers.shift();
    if (reader) reader.resolve({ value: item, done: false });
    else if (this.#items.length >= MOST_WAITING) this.end(new Overrun(`${MOST_WAITING} messages wait to be read`));
    else if (!this.#ended) this.#items.push(item);
  }

  end(error: MaweError | null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#feeds.delete(this);
    for (const reader of this.#readers.splice(0)) {
      if (error) reader.reject(error);
      else reader.resolve({ value: undefined, done: true });
    }
  }

  async next(): Promise<IteratorResult<T>> {
    const [item] = this.#items;
    if (this.#items.length > 0) {
      this.#items.shift();
      return { value: item as T, done: false };
    }
    if (this.#error) throw this.#error;
    if (this.#ended) return { value: undefined, done: true };
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  async return(): Promise<IteratorResult<T>> {
    this.end(null);
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): Feed<T> {
    return this;
  }
}
