// In Node.js a WebSocket by the package `ws`: it sends the header of a token, which the WebSocket of browsers does not.

import { WebSocket } from "ws";
import type { Connect } from "./connect.js";

export const connect: Connect = (url, headers, events) => {
  const socket = new WebSocket(url, ["mawe.v1"], { headers, handshakeTimeout: 20_000, maxPayload: 2 ** 22 });
  let ended = false;
  const end: typeof events.end = (how) => {
    if (ended) return;
    ended = true;
    events.end(how);
  };
  socket.on("open", () => events.open());
  socket.on("message", (data) => events.message(String(data)));
  socket.on("unexpected-response", (request, response) => {
    const retryAfter = Number(response.headers["retry-after"]);
    request.destroy();
    end({ ...(response.statusCode && { status: response.statusCode }), ...(retryAfter > 0 && { retryAfter }) });
  });
  // An error is followed by the end.
  socket.on("error", () => {});
  socket.on("close", (code) => end({ code }));
  return {
    send: (text) => socket.send(text, () => {}),
    close: () => socket.close(1000),
    abort: () => socket.terminate(),
  };
};
