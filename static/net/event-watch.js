// @ts-check
// Follows an event: the server sends its state when it changes.

/** @import { ServerMsg } from "../core/types.js" */
/** @import { Line } from "./socket.js" */

/** @typedef {Extract<ServerMsg, { t: "event-state" }>} EventStateMsg */

/**
 * Follows an event, also on later connections.
 * @param {Line} line
 * @param {string} event
 * @param {(state: EventStateMsg) => void} hear
 * @returns {() => void} stops following
 */
export function watchEvent(line, event, hear) {
  const ask = () => line.send({ t: "watch-event", event });
  const stops = [
    line.onMessage((msg) => {
      if (msg.t === "event-state" && msg.event === event) hear(msg);
    }),
    line.onStatus((status) => {
      if (status === "open") ask();
    }),
  ];
  ask();
  return () => {
    for (const stop of stops) stop();
    line.send({ t: "unwatch-event", event });
  };
}
