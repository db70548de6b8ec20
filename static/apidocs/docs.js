// @ts-check
// The OpenAPI document as a page, with no other texts. For programmers, and so in English, like the document.
//
// main
//   h1, p                         title and description
//   section (one a tag)
//     h2
//     details#operation           one an operation: summary with method and address, then parameters, body, answers
//   section
//     h2, details#schema-…        one a schema, which operations link to

import { h } from "../core/dom.js";

/**
 * @typedef {{ $ref?: string, type?: string | string[], items?: Schema, oneOf?: Schema[], anyOf?: Schema[], allOf?: Schema[],
 *   enum?: unknown[], format?: string, properties?: Record<string, Schema>, required?: string[], description?: string,
 *   minimum?: number, maximum?: number }} Schema
 * @typedef {{ description?: string, content?: Record<string, { schema?: Schema }> }} Answer
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema?: Schema }} Parameter
 * @typedef {{ tags?: string[], summary?: string, description?: string, parameters?: Parameter[],
 *   requestBody?: { content: Record<string, { schema?: Schema }> }, responses: Record<string, Answer> }} Operation
 * @typedef {{ info: { title: string, version: string, description?: string }, paths: Record<string, Record<string, Operation>>,
 *   components: { schemas: Record<string, Schema> } }} Document
 */

const PREFIX = "#/components/schemas/";

/** @param {string} name */
const anchor = (name) => `schema-${name}`;

/**
 * A short form of a schema, with links to the schemas that it names.
 * @param {Schema | undefined} schema
 * @returns {(Node | string)[]}
 */
function short(schema) {
  if (!schema) return ["anything"];
  if (schema.$ref) {
    const name = schema.$ref.slice(PREFIX.length);
    return [h("a", { href: `#${anchor(name)}` }, name)];
  }
  const parts = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (parts) {
    const word = schema.allOf ? " and " : " or ";
    return parts.flatMap((part, n) => (n > 0 ? [word, ...short(part)] : short(part)));
  }
  if (schema.enum) return [schema.enum.map((one) => JSON.stringify(one)).join(" or ")];
  if (schema.items) return ["list of ", ...short(schema.items)];
  const type = [schema.type ?? "object"].flat().join(" or ");
  const limits = [
    schema.format,
    schema.minimum !== undefined && `from ${schema.minimum}`,
    schema.maximum !== undefined && `to ${schema.maximum}`,
  ];
  const said = limits.filter(Boolean).join(", ");
  return [said ? `${type} (${said})` : type];
}

/**
 * @param {string[]} heads
 * @param {(Node | string)[][][]} rows
 */
function table(heads, rows) {
  const cells = (/** @type {(Node | string)[][]} */ row) =>
    h(
      "tr",
      {},
      row.map((cell) => h("td", {}, cell)),
    );
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((head) => h("th", { scope: "col" }, head)),
      ),
    ),
    h("tbody", {}, rows.map(cells)),
  );
}

/** @param {Record<string, { schema?: Schema }> | undefined} content */
function bodies(content) {
  return Object.entries(content ?? {}).flatMap(([kind, { schema }]) => [h("div", {}, h("code", {}, kind), " ", ...short(schema))]);
}

/**
 * @param {string} path
 * @param {string} method
 * @param {Operation} operation
 */
function operationOf(path, method, operation) {
  const { parameters = [], requestBody, responses } = operation;
  const inside = h("div", { class: "inside" });
  if (operation.description) inside.append(h("p", {}, operation.description));
  if (parameters.length) {
    const row = (/** @type {Parameter} */ one) => [
      [h("code", {}, one.name)],
      [one.in + (one.required ? "" : ", optional")],
      short(one.schema),
      [one.description ?? ""],
    ];
    inside.append(h("h3", {}, "Parameters"), table(["name", "in", "type", "meaning"], parameters.map(row)));
  }
  if (requestBody) inside.append(h("h3", {}, "Body"), ...bodies(requestBody.content));
  const answer = (/** @type {[string, Answer]} */ [status, { description, content }]) => [
    [h("code", {}, status)],
    bodies(content),
    [description ?? ""],
  ];
  inside.append(h("h3", {}, "Answers"), table(["status", "body", "when"], Object.entries(responses).map(answer)));
  const name = `${method}-${path.replaceAll(/[^a-z0-9]+/gi, "-")}`;
  const head = h(
    "summary",
    {},
    h("span", { class: "method" }, method.toUpperCase()),
    h("code", {}, path),
    h("span", { class: "does" }, operation.summary ?? ""),
  );
  return h("details", { id: name }, head, inside);
}

/**
 * @param {string} name
 * @param {Schema} schema
 */
function schemaOf(name, schema) {
  const inside = h("div", { class: "inside" });
  if (schema.description) inside.append(h("p", {}, schema.description));
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length) {
    const row = (/** @type {[string, Schema]} */ [field, of]) => [
      [h("code", {}, field)],
      [schema.required?.includes(field) ? "" : "optional"],
      short(of),
      [of.description ?? ""],
    ];
    inside.append(table(["field", "", "type", "meaning"], properties.map(row)));
  } else {
    inside.append(h("pre", {}, JSON.stringify(schema, null, 2)));
  }
  return h("details", { id: anchor(name) }, h("summary", {}, h("code", {}, name)), inside);
}

/** @param {Document} document */
function page({ info, paths, components }) {
  /** @type {Map<string, HTMLElement[]>} */
  const byTag = new Map();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const tag = operation.tags?.[0] ?? "other";
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationOf(path, method, operation)]);
    }
  }
  const section = (/** @type {string} */ title, /** @type {HTMLElement[]} */ inside) => h("section", {}, h("h2", {}, title), inside);
  return [
    h("h1", {}, `${info.title} ${info.version}`),
    h("p", {}, info.description ?? ""),
    h("p", {}, "The document: ", h("a", { href: "/api/openapi.json" }, "/api/openapi.json"), "."),
    ...[...byTag].map(([tag, operations]) => section(tag, operations)),
    section(
      "schemas",
      Object.entries(components.schemas).map(([name, schema]) => schemaOf(name, schema)),
    ),
  ];
}

/** A link to a schema opens it. */
function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
}

const root = /** @type {HTMLElement} */ (document.getElementById("document"));
try {
  const answer = await fetch("/api/openapi.json");
  if (!answer.ok) throw new Error(`${answer.status}`);
  root.replaceChildren(...page(await answer.json()));
  addEventListener("hashchange", open);
  open();
} catch (error) {
  root.replaceChildren(h("p", { role: "alert" }, `The document could not be read: ${error}`));
}
