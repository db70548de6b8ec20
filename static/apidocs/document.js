// @ts-check
// The OpenAPI document as the page needs it: one list of operations, with everything that belongs to each. No DOM.

/**
 * @typedef {{ $ref?: string, type?: string | string[], items?: Schema, oneOf?: Schema[], anyOf?: Schema[], allOf?: Schema[],
 *   enum?: unknown[], const?: unknown, default?: unknown, example?: unknown, examples?: unknown[], format?: string, pattern?: string,
 *   properties?: Record<string, Schema>, required?: string[], additionalProperties?: boolean | Schema, title?: string, description?: string,
 *   minimum?: number, maximum?: number, minLength?: number, maxLength?: number, minItems?: number, maxItems?: number }} Schema
 * @typedef {Record<string, Schema>} Schemas
 * @typedef {{ schema?: Schema, example?: unknown }} Media
 * @typedef {{ name: string, in: "path" | "query" | "header", required: boolean, description: string, schema: Schema, example: unknown }} Parameter
 * @typedef {{ operation: string, parameters: Record<string, string> }} Step the next operation, with places in the response (`/id`)
 * @typedef {{ status: string, description: string, content: { mime: string, schema: Schema | undefined }[],
 *   headers: { name: string, description: string, schema: Schema | undefined }[], codes: string[], next: Step[] }} Answer
 * @typedef {{ anyone: boolean, session: boolean, scope: string | null | undefined, only: string[] }} Access
 *   `scope`: of the token that is enough; null for any token, undefined where no token is; `only`: further conditions
 * @typedef {{ mime: string, schema: Schema, required: boolean }} Body
 * @typedef {{ id: string, method: string, path: string, tag: string, title: string, description: string, isDeprecated: boolean,
 *   parameters: Parameter[], body: Body | null, answers: Answer[], access: Access }} Operation
 * @typedef {{ code: string, status: number | null, meaning: string }} CodeRow
 * @typedef {{ name: string, description: string, operations: Operation[] }} Tag
 * @typedef {{ title: string, version: string, description: string, tags: Tag[], operations: Map<string, Operation>,
 *   schemas: Schemas, codes: Map<string, CodeRow> }} Reference
 */

export const SCHEMA_PREFIX = "#/components/schemas/";
const METHODS = ["get", "post", "put", "patch", "delete"];

/** The callers that a code refuses, by the code. */
const CONDITIONS = /** @type {Record<string, string>} */ ({
  "account-needed": "guests have fewer rights than accounts here: see 403",
  "moderators-only": "for moderators and admins",
  "operators-only": "for accounts with the grant `operator`, where the operator's page is switched on",
});

/**
 * Reads the document. An operation without an id, or a part that is not as OpenAPI 3.1 has it, is left out.
 * @param {any} openapi
 * @returns {Reference}
 */
export function readDocument(openapi) {
  const components = openapi.components ?? {};
  const codes = new Map(
    (openapi["x-codes"] ?? []).map((/** @type {any} */ row) => [
      row.code,
      { code: row.code, status: row.status ?? null, meaning: row.meaning },
    ]),
  );
  /** @type {Map<string, Operation>} */
  const operations = new Map();
  for (const [path, item] of Object.entries(openapi.paths ?? {}))
    for (const method of METHODS) {
      const found = item[method];
      if (found?.operationId) operations.set(found.operationId, operationOf(path, method, found, { components, codes }));
    }
  return {
    title: openapi.info?.title ?? "",
    version: openapi.info?.version ?? "",
    description: openapi.info?.description ?? "",
    tags: tagsOf(openapi.tags ?? [], [...operations.values()]),
    operations,
    schemas: components.schemas ?? {},
    codes,
  };
}

/** @param {{ name: string, description?: string }[]} listed @param {Operation[]} operations @returns {Tag[]} */
function tagsOf(listed, operations) {
  const names = new Set([...listed.map(({ name }) => name), ...operations.map(({ tag }) => tag)]);
  const tags = [...names].map((name) => ({
    name,
    description: listed.find((tag) => tag.name === name)?.description ?? "",
    operations: operations.filter(({ tag }) => tag === name),
  }));
  return tags.filter((tag) => tag.operations.length > 0);
}

/**
 * @param {string} path
 * @param {string} method
 * @param {any} found
 * @param {{ components: any, codes: Map<string, CodeRow> }} context
 * @returns {Operation}
 */
function operationOf(path, method, found, { components, codes }) {
  // Handlers write one comment: its first line is the summary, and the rest says more.
  const [title = "", ...more] = String(found.summary ?? "").split("\n");
  const answers = Object.entries(found.responses ?? {}).map(([status, answer]) => answerOf(status, answer, components, codes));
  const [mime, media] = Object.entries(found.requestBody?.content ?? {})[0] ?? [];
  return {
    id: found.operationId,
    method: method.toUpperCase(),
    path,
    tag: found.tags?.[0] ?? "other",
    title,
    description: [...more, found.description ?? ""].join("\n").trim(),
    isDeprecated: found.deprecated === true,
    parameters: (found.parameters ?? []).map((/** @type {any} */ one) => ({
      name: one.name,
      in: one.in,
      required: one.required === true,
      description: one.description ?? "",
      schema: one.schema ?? {},
      example: one.example,
    })),
    body: mime && media ? { mime, schema: media.schema ?? {}, required: found.requestBody.required === true } : null,
    answers,
    access: accessOf(found.security ?? [], answers),
  };
}

/**
 * @param {string} status
 * @param {any} answer
 * @param {any} components
 * @param {Map<string, CodeRow>} codes
 * @returns {Answer}
 */
function answerOf(status, answer, components, codes) {
  const description = answer.description ?? "";
  const headers = Object.entries(answer.headers ?? {}).map(([name, header]) => {
    const named = /** @type {any} */ (header).$ref?.split("/").pop();
    const found = named ? components.headers?.[named] : header;
    return { name, description: found?.description ?? "", schema: found?.schema };
  });
  const links = /** @type {any[]} */ (Object.values(answer.links ?? {}));
  return {
    status,
    description,
    content: Object.entries(answer.content ?? {}).map(([mime, media]) => ({ mime, schema: media.schema })),
    headers,
    codes: codesIn(description, codes),
    next: links.map(({ operationId, parameters }) => ({
      operation: operationId,
      parameters: Object.fromEntries(
        Object.entries(parameters ?? {}).map(([name, place]) => [name, String(place).replace(/^\$response\.body#/, "")]),
      ),
    })),
  };
}

/** The codes that a text names. @param {string} text @param {Map<string, CodeRow>} codes @returns {string[]} */
function codesIn(text, codes) {
  const named = [...text.matchAll(/`([a-z0-9-]+)`/g)].map(([, code = ""]) => code);
  return [...new Set(named)].filter((code) => codes.has(code));
}

/** @param {Record<string, string[]>[]} ways @param {Answer[]} answers @returns {Access} */
function accessOf(ways, answers) {
  const token = ways.find((way) => way.token)?.token;
  const codes = answers.flatMap((answer) => answer.codes);
  return {
    anyone: ways.length === 0 || ways.some((way) => Object.keys(way).length === 0),
    session: ways.some((way) => way.session),
    scope: token ? (token[0] ?? null) : undefined,
    only: Object.entries(CONDITIONS).flatMap(([code, text]) => (codes.includes(code) ? [text] : [])),
  };
}

/** Returns the callers of an operation, in words. @param {Access} access @returns {string} */
export function accessText({ anyone, session, scope, only }) {
  const token = scope === undefined ? "" : scope === null ? "any token" : `a token with the scope \`${scope}\``;
  const ways = [session ? "a session" : "", token].filter(Boolean).join(" or ");
  const first = anyone ? `Open to everybody${ways ? `; ${ways} tells who you are` : ""}` : `Needs ${ways}`;
  const last = !anyone && scope === undefined ? "; no token is enough" : "";
  return [`${first}${last}.`, ...only.map((text) => `${text[0]?.toUpperCase()}${text.slice(1)}.`)].join(" ");
}

/** Whether the answer of an operation does not end. @param {Operation} operation */
export const isStream = ({ answers }) => answers.some(({ content }) => content.some(({ mime }) => mime === "text/event-stream"));

/** Whether an operation opens a socket. @param {Operation} operation */
export const isSocket = ({ answers }) => answers.some(({ status }) => status === "101");

/** The name of a referenced schema; "" for a schema in its own place. @param {Schema | undefined} schema */
export const nameOf = (schema) => (schema?.$ref?.startsWith(SCHEMA_PREFIX) ? schema.$ref.slice(SCHEMA_PREFIX.length) : "");

/**
 * The schema that a reference leads to, and any other as it is.
 * @param {Schema | undefined} schema
 * @param {Schemas} schemas
 * @returns {Schema}
 */
export function resolve(schema, schemas) {
  let found = schema ?? {};
  // A reference to itself, in a damaged document, would not end.
  for (let steps = 0; steps < 8 && found.$ref; steps++) found = schemas[nameOf(found)] ?? {};
  return found;
}

/** The place of a JSON pointer in a value, as text; undefined where there is none. @param {unknown} value @param {string} pointer */
export function valueAt(value, pointer) {
  let found = /** @type {any} */ (value);
  for (const part of pointer.split("/").slice(1)) found = found?.[part];
  return typeof found === "string" || typeof found === "number" ? String(found) : undefined;
}
