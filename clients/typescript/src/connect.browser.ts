// In a browser its own WebSocket, on a page of the server, where the cookie names the player: a token cannot be sent.

import type { Connect } from "./connect.js";

export const connect: Connect = (url, _headers, events) => {
  const socket = new WebSocket(url, ["mawe.v1"]);
  let ended = false;
  const end: typeof events.end = (how) => {
    if (ended) return;
    ended = true;
    events.end(how);
  };
  socket.onopen = () => events.open();
  socket.onmessage = ({ data }) => events.message(String(data));
  socket.onclose = ({ code }) => end({ code });
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(1000),
    abort: () => {
      socket.close();
      // The closing handshake of a silent server would take a minute.
      end({});
    },
  };
};
