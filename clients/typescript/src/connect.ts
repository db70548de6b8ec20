// The face of a WebSocket that live.ts uses; connect.node.ts and connect.browser.ts stand behind it.

export interface Events {
  open(): void;
  message(text: string): void;
  /** The end of the connection, once: the close code, or the status of a refused handshake and its `Retry-After` in seconds. */
  end(how: { code?: number; status?: number; retryAfter?: number }): void;
}

export interface Connection {
  send(text: string): void;
  /** Closes with the code 1000. */
  close(): void;
  /** Gives up a connection whose other end is silent. */
  abort(): void;
}

export type Connect = (url: string, headers: Record<string, string>, events: Events) => Connection;
