// @ts-check
// The pages beside those of operations: overview, tags, schemas, codes, messages.

import { h } from "../core/dom.js";
import { nameOf } from "./document.js";
import { examplesOf } from "./messages.js";
import { codeBlock, firstParagraph, inline, operationRow, paragraphs, schemaLink } from "./prose.js";
import { sampleOf } from "./sample.js";
import { schemaTree } from "./schema-view.js";

/** @import { CodeRow, Operation, Reference, Schema, Tag } from "./document.js" */
/** @import { Example, Message } from "./messages.js" */

/** @param {string} text @param {...(Node | string)} more */
const heading = (text, ...more) => h("h1", { tabindex: -1 }, text, ...more);

/** @param {Reference} reference */
export function overviewPage({ title, version, description, tags, operations }) {
  const row = (/** @type {Tag} */ { name, description: about, operations: own }) =>
    h("li", {}, h("a", { href: `#tag/${name}` }, name), ` ${about} `, h("span", { class: "quiet" }, `${own.length} operations`));
  const { origin } = location;
  return h(
    "article",
    {},
    heading(`${title} ${version}: the API`),
    ...paragraphs(description),
    h(
      "p",
      {},
      `${operations.size} operations over HTTP below `,
      h("code", {}, `${origin}/api/v1`),
      ", streams, and one socket. ",
      h("a", { href: "/api/openapi.json" }, "The OpenAPI document"),
      "; schemas of the messages: ",
      h("a", { href: "/api/docs/client-messages.schema.json" }, "of clients"),
      ", ",
      h("a", { href: "/api/docs/server-messages.schema.json" }, "of the server"),
      ".",
    ),
    h("h2", {}, "The first request"),
    codeBlock(`curl -sS '${origin}/api/v1/games'`, "the example"),
    h("h2", {}, "A program that plays"),
    h(
      "ol",
      { class: "plain-list" },
      h(
        "li",
        {},
        h("a", { href: "/api/docs/api-bots" }, "Get a token"),
        ", which a program sends as ",
        h("code", {}, "Authorization: Bearer mawe_…"),
        ".",
      ),
      h(
        "li",
        {},
        h("a", { href: "/api/docs/clients" }, "Take a library"),
        " for Python or JavaScript, or ",
        h("a", { href: "/api/docs/api" }, "begin with curl"),
        ".",
      ),
      h(
        "li",
        {},
        h("a", { href: "#socket" }, "Try the socket"),
        ", and read ",
        h("a", { href: "/api/docs/protocol" }, "its messages"),
        ".",
      ),
    ),
    h("h2", {}, "Keys"),
    h(
      "p",
      {},
      h("kbd", {}, "/"),
      " goes to the search, the arrows and ",
      h("kbd", {}, "Enter"),
      " choose, ",
      h("kbd", {}, "Esc"),
      " closes.",
    ),
    h("h2", {}, "Operations"),
    h("ul", { class: "plain-list" }, ...tags.map(row)),
  );
}

/** @param {Tag} tag */
export function tagPage({ name, description, operations }) {
  return h("article", {}, heading(name), ...paragraphs(description), h("ul", { class: "rows" }, ...operations.map(operationRow)));
}

/** @param {Reference} reference */
export function schemasPage({ schemas }) {
  const rows = Object.entries(schemas).map(([name, { description = "" }]) =>
    h("li", {}, schemaLink(name), " ", h("span", { class: "quiet" }, inline(firstParagraph(description)))),
  );
  return h("article", {}, heading("Schemas"), h("ul", { class: "rows" }, ...rows));
}

/** @param {string} name @param {Reference} reference */
export function schemaPage(name, reference) {
  const schema = reference.schemas[name];
  if (!schema) return null;
  const users = [...reference.operations.values()].filter((operation) => uses(operation, name));
  const within = Object.entries(reference.schemas).filter(([other, of]) => other !== name && mentions(of, name));
  return h(
    "article",
    {},
    h("p", { class: "crumb" }, h("a", { href: "#schemas" }, "Schemas")),
    heading(name),
    ...paragraphs(schema.description ?? "", reference),
    schemaTree(schema, reference),
    h("h2", {}, "An example"),
    codeBlock(JSON.stringify(sampleOf(schema, reference.schemas, { isWhole: true }), null, 2), "the example"),
    ...(users.length > 0 ? [h("h2", {}, "Operations with it"), h("ul", { class: "rows" }, ...users.map(operationRow))] : []),
    ...(within.length > 0
      ? [h("h2", {}, "Schemas with it"), h("ul", { class: "rows" }, ...within.map(([other]) => h("li", {}, schemaLink(other))))]
      : []),
  );
}

/** @param {Operation} operation @param {string} name */
const uses = ({ body, answers }, name) =>
  [
    body?.schema,
    ...answers.filter(({ status }) => status < "400" || name === "Problem").flatMap(({ content }) => content.map(({ schema }) => schema)),
  ].some((schema) => mentions(schema, name));

/** @param {Schema | undefined} schema @param {string} name @returns {boolean} */
function mentions(schema, name) {
  if (!schema) return false;
  if (nameOf(schema) === name) return true;
  const { items, oneOf, anyOf, allOf, properties, additionalProperties } = schema;
  const parts = [items, ...(oneOf ?? []), ...(anyOf ?? []), ...(allOf ?? []), ...Object.values(properties ?? {})];
  return [...parts, typeof additionalProperties === "object" ? additionalProperties : undefined].some((part) => mentions(part, name));
}

/** @param {Reference} reference */
export function codesPage({ codes }) {
  const row = (/** @type {CodeRow} */ { code, status, meaning }) =>
    h(
      "tr",
      { id: `code/${code}` },
      h("td", {}, h("a", { href: `#code/${code}` }, h("code", {}, code))),
      h("td", {}, status === null ? "socket" : String(status)),
      h("td", {}, ...inline(meaning)),
    );
  const head = h("tr", {}, ...["code", "status", "meaning"].map((text) => h("th", { scope: "col" }, text)));
  return h(
    "article",
    {},
    heading("Error codes"),
    h(
      "p",
      {},
      "A refused request is answered with a problem (RFC 9457), ",
      schemaLink("Problem"),
      ": go by its ",
      h("code", {}, "code"),
      ", which is stable. On the socket the message ",
      h("a", { href: "#message/server/error" }, h("code", {}, "error")),
      " has the same codes.",
    ),
    h(
      "div",
      { class: "scrolled", role: "region", "aria-label": "Codes", tabindex: 0 },
      h("table", {}, h("thead", {}, head), h("tbody", {}, ...[...codes.values()].map(row))),
    ),
  );
}

/** @param {string} code @param {Reference} reference */
export function codePage(code, { codes, operations }) {
  const found = codes.get(code);
  if (!found) return null;
  const named = [...operations.values()].filter(({ answers }) => answers.some((answer) => answer.codes.includes(code)));
  return h(
    "article",
    {},
    h("p", { class: "crumb" }, h("a", { href: "#codes" }, "Error codes")),
    heading(code),
    h("p", {}, ...inline(found.meaning)),
    h(
      "p",
      {},
      found.status === null ? "In the message error of the socket, and in no answer over HTTP." : `Status ${found.status} over HTTP.`,
    ),
    ...(named.length > 0 ? [h("h2", {}, "Operations that name it"), h("ul", { class: "rows" }, ...named.map(operationRow))] : []),
  );
}

/** @param {HTMLElement} consoleElement @param {readonly Message[]} messages */
export function socketPage(consoleElement, messages) {
  const rows = (/** @type {string} */ sender) =>
    messages
      .filter((message) => message.sender === sender)
      .map(({ name, description }) =>
        h(
          "li",
          {},
          h("a", { href: `#message/${sender}/${name}` }, h("code", {}, name)),
          " ",
          h("span", { class: "quiet" }, ...inline(firstParagraph(description))),
        ),
      );
  return h(
    "article",
    {},
    heading("The socket"),
    h(
      "p",
      {},
      h("code", {}, "GET /api/v1/ws"),
      ", subprotocol ",
      h("code", {}, "mawe.v1"),
      ": one JSON object a frame. ",
      h("a", { href: "/api/docs/protocol#what-a-client-must-do" }, "What a client must do"),
      "; ",
      h("a", { href: "/api/docs/protocol#limits" }, "limits"),
      "; ",
      h("a", { href: "/api/docs/protocol#close-codes" }, "close codes"),
      ".",
    ),
    consoleElement,
    h("h2", {}, "Messages of clients"),
    h("ul", { class: "rows" }, ...rows("client")),
    h("h2", {}, "Messages of the server"),
    h("ul", { class: "rows" }, ...rows("server")),
  );
}

/** @param {Message} message @param {readonly Example[]} examples @param {Reference} reference */
export function messagePage(message, examples, reference) {
  const { sender, name, description, schema } = message;
  const given = examplesOf(message, examples);
  const [first] = given;
  return h(
    "article",
    {},
    h(
      "p",
      { class: "crumb" },
      h("a", { href: "#socket" }, "The socket"),
      `, messages of ${sender === "client" ? "clients" : "the server"}`,
    ),
    heading(name),
    ...paragraphs(description, reference),
    sender === "client" ? h("p", {}, h("a", { class: "button", href: `#socket?message=${name}` }, "Try it in the console")) : null,
    first ? h("p", {}, h("a", { href: `/api/docs/protocol#${first.heading}` }, "In the guide")) : null,
    schemaTree(schema, reference),
    h("h2", {}, given.length > 1 ? "Examples" : "An example"),
    ...(given.length > 0
      ? given.map(({ text }) => codeBlock(text, "the example"))
      : [codeBlock(JSON.stringify(sampleOf(schema, reference.schemas, { isWhole: true }), null, 2), "the example")]),
  );
}
