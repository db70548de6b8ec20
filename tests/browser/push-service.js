// @ts-check
// A push service of the test's own, as a Firefox knows its: the browser holds a WebSocket to it (hello, register, notification, ack), and
// whoever has the address that it gives out posts messages there. It cannot read them, and passes them on as they came.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

import { WebSocketServer } from "ws";

/** @import { IncomingHttpHeaders } from "node:http" */
/** @import { WebSocket } from "ws" */

/** @typedef {{ headers: IncomingHttpHeaders, body: Buffer }} Posted */

export async function startPushService() {
  /** The lines to browsers, by the channel that a subscription is. @type {Map<string, WebSocket>} */
  const lines = new Map();
  /** @type {Posted[]} */
  const posted = [];
  /** What browsers said about messages. @type {any[]} */
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
    /** As the server's operator trusts it. */
    host: `127.0.0.1:${port}`,
    /** Where a browser holds its line. */
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
