// @ts-check
// A push service for tests, with the protocol of Firefox's: the browser keeps a WebSocket to it (hello, register, notification, ack), and
// the server posts messages to the address that it gives out. It cannot read them, and forwards them unchanged.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

import { WebSocketServer } from "ws";

/** @import { IncomingHttpHeaders } from "node:http" */
/** @import { WebSocket } from "ws" */

/** @typedef {{ headers: IncomingHttpHeaders, body: Buffer }} Posted */

export async function startPushService() {
  /** The WebSockets of browsers, by the channel of each subscription. @type {Map<string, WebSocket>} */
  const lines = new Map();
  /** @type {Posted[]} */
  const posted = [];
  /** The browsers' acknowledgements. @type {any[]} */
  const acknowledged = [];

  const http = createServer((request, response) => {
    const channelID = request.url?.split("/").at(-1) ?? "";
    const line = lines.get(channelID);
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      if (request.method !== "POST" || !line) {
        response.writeHead(404).end();
        return;
      }
      posted.push({ headers: request.headers, body });
      line.send(
        JSON.stringify({
          messageType: "notification",
          channelID,
          version: randomUUID(),
          data: body.toString("base64url"),
          headers: { encoding: request.headers["content-encoding"] },
        }),
      );
      response.writeHead(201, { location: `/m/${randomUUID()}` }).end();
    });
  });

  new WebSocketServer({ server: http }).on("connection", (line) =>
    line.on("message", (text) => {
      const said = JSON.parse(String(text));
      /** @param {object} answer */
      const answer = (answer) => line.send(JSON.stringify({ messageType: said.messageType, ...answer }));
      if (said.messageType === "hello")
        answer({ uaid: said.uaid || randomUUID().replaceAll("-", ""), status: 200, use_webpush: true, broadcasts: {} });
      else if (said.messageType === "register") {
        lines.set(said.channelID, line);
        answer({ channelID: said.channelID, status: 200, pushEndpoint: `${url}/push/${said.channelID}` });
      } else if (said.messageType === "unregister") {
        lines.delete(said.channelID);
        answer({ channelID: said.channelID, status: 200 });
      } else if (said.messageType === "ack") acknowledged.push(...said.updates);
      else if (Object.keys(said).length === 0) line.send("{}");
    }),
  );

  await new Promise((resolve) => http.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (http.address());
  const url = `http://127.0.0.1:${port}`;
  return {
    /** For the server's option `--push-trust`. */
    host: `127.0.0.1:${port}`,
    /** The address of the WebSocket. */
    line: `ws://127.0.0.1:${port}`,
    posted,
    acknowledged,
    subscriptions: () => lines.size,
    stop() {
      http.closeAllConnections();
      http.close();
    },
  };
}
