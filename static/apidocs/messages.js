// @ts-check
// The messages of the socket, from their schemas in the document, with the examples of the guide. No DOM.

import { resolve } from "./document.js";
import { sampleOf } from "./sample.js";
import { tagOf } from "./schema.js";

/** @import { Reference, Schema } from "./document.js" */

/**
 * @typedef {"client" | "server"} Sender
 * @typedef {{ sender: Sender, name: string, description: string, schema: Schema }} Message
 * @typedef {{ file: string, text: string, heading: string }} Example a block of the guide: its name, its JSON, the id of its heading
 */

/** The types of the messages of each sender. */
const TYPES = /** @type {const} */ ([
  ["client", "ClientMsg"],
  ["server", "ServerMsg"],
]);

/** The messages of both directions. @param {Reference} reference @returns {Message[]} */
export function messagesOf({ schemas }) {
  return TYPES.flatMap(([sender, type]) =>
    (schemas[type]?.oneOf ?? []).map((schema) => {
      const inner = resolve(schema, schemas);
      return { sender, name: tagOf(inner, schemas), description: schema.description ?? inner.description ?? "", schema };
    }),
  );
}

/** The examples of a message in the guide. @param {Message} message @param {readonly Example[]} examples @returns {Example[]} */
export function examplesOf({ sender, name }, examples) {
  return examples.filter(({ file, text }) => file.startsWith(`${sender}-`) && typeOf(text) === name);
}

/** The type of a message as text; "" for any other text. @param {string} text @returns {string} */
export function typeOf(text) {
  try {
    const { t } = JSON.parse(text);
    return typeof t === "string" ? t : "";
  } catch {
    return "";
  }
}

/** A message of the client to begin with. @param {Message} message @param {readonly Example[]} examples @param {Reference} reference @returns {string} */
export function firstExample(message, examples, { schemas }) {
  const [given] = examplesOf(message, examples);
  return given?.text ?? JSON.stringify(sampleOf(message.schema, schemas), null, 2);
}
