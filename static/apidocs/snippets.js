// @ts-check
// Examples of an operation in curl, in Python with `mawe`, and in JavaScript with `@mawe/client`. No DOM.

import { isSocket, isStream, nameOf } from "./document.js";
import { FORM, faultOfJson, requestOf, typedParameters } from "./request.js";

/** @import { Operation, Schemas } from "./document.js" */
/** @import { Values } from "./request.js" */

/** @typedef {{ name: string, language: string, code: string }} Snippet */

/** The operations that are no methods of the library in Python: `LEFT_OUT` of `clients/generate.py`, but for streams and the socket. */
export const NO_METHOD = /\/oauth|^\/api\/v1\/(?:jobs$|moderation\/|operator\/)|^\/embed\/|^\/healthz$|^\/readyz$/;

/** The operations for everybody that have use only with a session. */
const USES_SESSION = /^\/api\/v1\/(?:me|sessions)(?:\/|$)/;

/** The operations that begin a session. */
const BEGINS_SESSION = /^\/api\/v1\/(?:accounts|guests|sessions)$/;

/** The methods of both libraries that read a stream, by the address. @type {Record<string, [python: string, javascript: string]>} */
const STREAMS = {
  "/api/v1/matches/{id}/stream": ["match_stream", "matchStream"],
  "/api/v1/me/stream": ["me_stream", "meStream"],
  "/api/v1/tv/{game}/stream": ["tv_stream", "tvStream"],
};

/** A line of an example that is longer is written as several. */
const MAX_LINE = 88;

/**
 * The examples of an operation with these values.
 * @param {Operation} operation
 * @param {Values} values
 * @param {{ origin: string, schemas: Schemas }} context
 * @returns {Snippet[]}
 */
export function snippetsOf(operation, values, context) {
  const filled = { ...values, parameters: { ...values.parameters, ...examples(operation, values, context.schemas) } };
  return [
    { name: "curl", language: "sh", code: curl(operation, filled, context.origin) },
    { name: "Python", language: "python", code: python(operation, filled, context) },
    { name: "JavaScript", language: "js", code: javascript(operation, filled, context) },
  ];
}

/** Examples in the place of parameters that must be there and were not typed. @param {Operation} operation @param {Values} values @param {Schemas} schemas */
function examples(operation, values, schemas) {
  const typed = ["path", "query", "header"].map((place) => typedParameters(operation, values, schemas, /** @type {"path"} */ (place)));
  const texts = Object.entries(Object.assign({}, ...typed)).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(texts);
}

/** The identity that an operation needs. @param {Operation} operation @returns {"none" | "token" | "session" | "new session"} */
export function identityOf({ access: { anyone, scope }, method, path }) {
  if (method === "POST" && BEGINS_SESSION.test(path)) return "new session";
  if (anyone && scope === undefined && USES_SESSION.test(path)) return "session";
  // Anybody may ask for the caller, and is nobody without an identity.
  if (anyone && !path.startsWith("/api/v1/me")) return "none";
  return scope === undefined ? "session" : "token";
}

/** The kind of a good answer. @param {Operation} operation @returns {"nothing" | "bytes" | "lines" | "text" | "json"} */
export function kindOf({ answers }) {
  const good = answers.filter(({ status }) => status.startsWith("2"));
  const kinds = [...new Set(good.flatMap(({ content }) => content.map(({ mime }) => mime)))];
  if (kinds.length === 0) return "nothing";
  if (kinds.some((mime) => mime.startsWith("image/"))) return "bytes";
  if (kinds.includes("application/x-ndjson")) return "lines";
  return kinds.length === 1 && kinds[0] === "application/json" ? "json" : "text";
}

/** The name of a file for the picture of an answer. @param {Operation} operation */
function fileOf({ path }) {
  const last = path.split("/").pop() ?? "";
  return /\.[a-z]+$/.test(last) ? last : "picture";
}

/** @param {Operation} operation @param {Values} values @param {string} origin */
function curl(operation, values, origin) {
  if (isSocket(operation)) return socketByCurl(operation, origin);
  const { request } = requestOf(operation, values);
  const options = isStream(operation) ? "-sSN" : "-sS";
  const parts = [`curl ${options} ${quoted(origin + request.path)}`];
  const isPost = request.method === "POST" && request.body !== null;
  if (request.method !== "GET" && !isPost) parts.push(`-X ${request.method}`);
  const identity = identityOf(operation);
  if (identity === "token") parts.push('-H "Authorization: Bearer $MAWE_TOKEN"');
  if (identity === "session") parts.push("-b cookies");
  if (identity === "new session") parts.push("-c cookies");
  for (const [name, value] of Object.entries(request.headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (request.body !== null) parts.push(`-d ${quoted(compact(request.body))}`);
  if (kindOf(operation) === "bytes") parts.push(`-o ${fileOf(operation)}`);
  const note = identity === "session" ? "# The session: curl -c cookies … /api/v1/sessions\n" : "";
  return note + parts.join(" \\\n  ");
}

/** @param {Operation} operation @param {string} origin */
function socketByCurl({ path }, origin) {
  return `# curl speaks no WebSocket protocol; websocat does.\nwebsocat --protocol mawe.v1 ${quoted(origin.replace(/^http/, "ws") + path)}`;
}

/** A text in the single quotes of the shell. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** JSON in one line; any other text as it is. @param {string} text */
const compact = (text) => (faultOfJson(text) === "" ? JSON.stringify(JSON.parse(text)) : text);

/** @param {Operation} operation @param {Values} values @param {{ origin: string, schemas: Schemas }} context */
function python(operation, values, { origin, schemas }) {
  const identity = identityOf(operation);
  if (NO_METHOD.test(operation.path)) return pythonByHttpx(operation, values, { origin, schemas });
  const kind = isStream(operation) || isSocket(operation) ? "lines" : kindOf(operation);
  const imports = [];
  if (identity === "token" || identity === "session") imports.push("import os");
  if (kind === "bytes") imports.push("from pathlib import Path");
  const token = identity === "token" ? ', token=os.environ["MAWE_TOKEN"]' : "";
  const live = isSocket(operation) ? ", client.live() as live" : "";
  const call = pythonCall(operation, values, schemas);
  const lines = [...imports, ...(imports.length > 0 ? [""] : []), "from mawe import Client", ""];
  lines.push(`with Client(${JSON.stringify(origin)}${token}) as client${live}:`);
  if (identity === "session")
    lines.push(indented('client.post_sessions({"name": os.environ["MAWE_NAME"], "password": os.environ["MAWE_PASSWORD"]})'));
  if (kind === "nothing") lines.push(indented(call));
  else if (kind === "bytes") lines.push(indented(`Path("${fileOf(operation)}").write_bytes(${call})`));
  else if (kind === "lines") lines.push(indented(`for message in ${call}:`), indented(indented("print(message)")));
  else lines.push(indented(`print(${call})`));
  return lines.join("\n");
}

/** @param {Operation} operation @param {Values} values @param {Schemas} schemas */
function pythonCall(operation, values, schemas) {
  if (isSocket(operation)) return "live.messages()";
  const path = Object.values(typedParameters(operation, values, schemas, "path")).map(pythonValue);
  const query = Object.entries(typedParameters(operation, values, schemas, "query"));
  const named = query.map(([name, value]) => `${name}=${pythonValue(value)}`);
  const stream = STREAMS[operation.path]?.[0];
  const hasBody = operation.body && nameOf(operation.body.schema) !== "Empty";
  const body = hasBody ? [bodyOf(values, pythonValue)] : [];
  return `client.${stream ?? operation.id}(${[...path, ...body, ...named].join(", ")})`;
}

/** For the few operations without a method. @param {Operation} operation @param {Values} values @param {{ origin: string, schemas: Schemas }} context */
function pythonByHttpx(operation, values, { origin }) {
  const { request } = requestOf(operation, values);
  const isSession = identityOf(operation) === "session";
  const body = request.body === null ? "" : `, ${isForm(operation) ? "data" : "json"}=${bodyOf(values, pythonValue)}`;
  const lines = [...(isSession ? ["import os", ""] : []), "import httpx", "", "# The library has no method for this operation."];
  lines.push(`with httpx.Client(base_url=${JSON.stringify(origin)}) as http:`);
  if (isSession)
    lines.push(indented('http.post("/api/v1/sessions", json={"name": os.environ["MAWE_NAME"], "password": os.environ["MAWE_PASSWORD"]})'));
  lines.push(indented(`response = http.request(${JSON.stringify(request.method)}, ${JSON.stringify(request.path)}${body})`));
  lines.push(indented("print(response.status_code, response.text)"));
  return lines.join("\n");
}

/** @param {Operation} operation */
const isForm = ({ body }) => body?.mime === FORM;

/** The library sends JSON. @param {Operation} operation @param {Values} values @param {string} origin */
function javascriptByFetch(operation, values, origin) {
  const { request } = requestOf(operation, values);
  const body = `new URLSearchParams(${bodyOf(values, javascriptValue)})`;
  return [
    `const response = await fetch(${JSON.stringify(origin + request.path)}, { method: ${JSON.stringify(request.method)}, body: ${body} });`,
    "console.log(response.status, await response.text());",
  ].join("\n");
}

/** @param {Operation} operation @param {Values} values @param {{ origin: string, schemas: Schemas }} context */
function javascript(operation, values, { origin, schemas }) {
  if (isForm(operation)) return javascriptByFetch(operation, values, origin);
  const identity = identityOf(operation);
  const isLong = isStream(operation) || isSocket(operation);
  const kind = isLong ? "lines" : kindOf(operation);
  const lines = [`import { Client${isLong && identity !== "session" ? "" : ", ok"} } from "@mawe/client";`];
  if (kind === "bytes") lines.unshift('import { writeFile } from "node:fs/promises";');
  const token = identity === "token" ? ", { token: process.env.MAWE_TOKEN }" : "";
  lines.push("", `const client = new Client(${JSON.stringify(origin)}${token});`);
  if (identity === "session")
    lines.push(
      'const { MAWE_NAME: name = "", MAWE_PASSWORD: password = "" } = process.env;',
      'await ok(client.rest.POST("/api/v1/sessions", { body: { name, password } }));',
    );
  if (isSocket(operation)) lines.push("const live = await client.live();");
  const call = javascriptCall(operation, values, schemas, kind);
  if (isLong) lines.push(`for await (const message of ${call}) console.log(message);`);
  else if (kind === "nothing") lines.push(`await ok(${call});`);
  else if (kind === "bytes")
    lines.push(`const picture = await ok(${call});`, `await writeFile("${fileOf(operation)}", new Uint8Array(picture));`);
  else lines.push(`console.log(await ok(${call}));`);
  return lines.join("\n");
}

/** @param {Operation} operation @param {Values} values @param {Schemas} schemas @param {string} kind */
function javascriptCall(operation, values, schemas, kind) {
  const of = (/** @type {"path" | "query" | "header"} */ place) => typedParameters(operation, values, schemas, place);
  if (isSocket(operation)) return "live.messages()";
  const stream = STREAMS[operation.path]?.[1];
  if (stream)
    return `client.${stream}(${[...Object.values(of("path")), ...Object.values(of("query"))].map((value) => JSON.stringify(value)).join(", ")})`;
  const places = /** @type {const} */ (["path", "query", "header"]).map((place) => /** @type {const} */ ([place, of(place)]));
  const params = Object.fromEntries(places.filter(([, found]) => Object.keys(found).length > 0));
  const parts = [];
  if (Object.keys(params).length > 0) parts.push(`params: ${javascriptValue(params)}`);
  if (operation.body) parts.push(`body: ${bodyOf(values, javascriptValue)}`);
  if (kind === "bytes") parts.push('parseAs: "arrayBuffer"');
  if (kind === "text" || kind === "lines") parts.push('parseAs: "text"');
  const options = parts.length > 0 ? `, { ${parts.join(", ")} }` : "";
  return `client.rest.${operation.method}(${JSON.stringify(operation.path)}${options})`;
}

/** The body as a value of a language; JSON that is not complete yet as it stands. @param {Values} values @param {(value: unknown) => string} write */
const bodyOf = ({ body }, write) => (faultOfJson(body) === "" ? write(JSON.parse(body)) : body);

/** @param {string} text */
const indented = (text) => text.replaceAll(/^(?=.)/gm, "    ");

/** A value of JSON in Python. @param {unknown} value @returns {string} */
export function pythonValue(value) {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  return literal(value, pythonValue, (name) => JSON.stringify(name));
}

/** A value of JSON in JavaScript. @param {unknown} value @returns {string} */
export function javascriptValue(value) {
  return literal(value, javascriptValue, (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)));
}

/**
 * @param {unknown} value
 * @param {(value: unknown) => string} write
 * @param {(name: string) => string} key
 * @returns {string}
 */
function literal(value, write, key) {
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([name, part]) => `${key(name)}: ${write(part)}`);
  if (pairs.length === 0) return "{}";
  const line = write === javascriptValue ? `{ ${pairs.join(", ")} }` : `{${pairs.join(", ")}}`;
  return line.length <= MAX_LINE ? line : `{\n${pairs.map((pair) => indented(pair)).join(",\n")},\n}`;
}
