// @ts-check
// A mail server (SMTP) on this machine that takes every mail and keeps it.
import { createServer } from "node:net";

import { eventually } from "./support.js";

/** @typedef {{ to: string, text: string }} Mail */

export async function startMailServer() {
  /** @type {Mail[]} */
  const mails = [];
  const server = createServer((socket) => serve(socket, mails));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    port,
    mails,
    /** The part after the `#` of the link in the last of so many mails. @param {number} count */
    async link(count) {
      await eventually(async () => mails.length >= count);
      const link = /https?:\/\/\S+#(\S+)/.exec(mails[count - 1]?.text ?? "");
      return link?.[1] ?? "";
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A port that was free a moment ago: the options of a server name it. @returns {Promise<number>} */
export const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });

/** @param {import("node:net").Socket} socket @param {Mail[]} mails */
function serve(socket, mails) {
  let [rest, to, text] = ["", "", /** @type {string | null} */ (null)];
  const say = (/** @type {string} */ line) => socket.write(`${line}\r\n`);
  say("220 mail.example");
  socket.on("error", () => socket.destroy());
  socket.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (text !== null && line !== ".") text += `${line.replace(/^\./, "")}\n`;
      else if (text !== null) {
        mails.push({ to, text: decoded(text) });
        text = null;
        say("250 ok");
      } else if (line === "DATA") {
        text = "";
        say("354 go on");
      } else {
        to = /^RCPT TO:<([^>]*)>/.exec(line)?.[1] ?? to;
        say(line.startsWith("QUIT") ? "221 bye" : "250 ok");
      }
    }
  });
}

/** The body of a mail. @param {string} raw */
function decoded(raw) {
  const at = raw.indexOf("\n\n");
  const [head, body] = [raw.slice(0, at), raw.slice(at + 2)];
  if (/base64/.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/.test(head)) return body;
  const bytes = body.replace(/=\n/g, "").replace(/=([0-9A-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
