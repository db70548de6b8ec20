// @ts-check
// From the values of a form to a request. No DOM.

import { resolve } from "./document.js";
import { sampleOf } from "./sample.js";

/** @import { Operation, Parameter, Schema, Schemas } from "./document.js" */

/**
 * @typedef {{ parameters: Record<string, string>, body: string }} Values as they were typed; "" leaves a parameter out
 * @typedef {{ method: string, path: string, headers: Record<string, string>, body: string | null }} Sent `path` with its query
 * @typedef {{ field: string, message: string }} Fault `field`: the name of a parameter, or `body`
 */

/** The media type of forms, whose fields are typed as JSON like any other body. */
export const FORM = "application/x-www-form-urlencoded";

/** The values of an empty form. @param {Operation} operation @param {Schemas} schemas @returns {Values} */
export function emptyValues(operation, schemas) {
  const { body } = operation;
  return { parameters: {}, body: body ? JSON.stringify(sampleOf(body.schema, schemas), null, 2) : "" };
}

/**
 * The request of a form. Only a value that makes another request of it is a fault: any other mistake is the server's to refuse, and to explain.
 * @param {Operation} operation
 * @param {Values} values
 * @returns {{ request: Sent, faults: Fault[] }}
 */
export function requestOf(operation, { parameters, body }) {
  /** @type {Fault[]} */
  const faults = [];
  /** @type {Record<string, string>} */
  const headers = {};
  const query = new URLSearchParams();
  let path = operation.path;
  for (const { name, in: place, required } of operation.parameters) {
    const value = parameters[name] ?? "";
    if (value === "" && (required || place === "path")) faults.push({ field: name, message: `${name} is needed` });
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (place === "header") {
      if (/^[\t\x20-\x7e]*$/.test(value)) headers[name] = value;
      else faults.push({ field: name, message: `${name} may have visible ASCII characters only` });
    } else query.set(name, value);
  }
  // A part of one or two dots would be taken for a folder.
  if (path.split("/").some((part) => part === "." || part === ".."))
    faults.push({ field: "path", message: "the address cannot have . or .. as a part" });
  const fault = operation.body ? faultOfJson(body) : "";
  if (fault !== "") faults.push({ field: "body", message: fault });
  if (operation.body) headers["Content-Type"] = operation.body.mime;
  const request = {
    method: operation.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers,
    body: operation.body ? written(operation.body.mime, body) : null,
  };
  return { request, faults };
}

/** A body as it is sent. @param {string} mime @param {string} body */
function written(mime, body) {
  if (mime !== FORM || faultOfJson(body) !== "") return body;
  const fields = Object.entries(JSON.parse(body) ?? {}).map(([name, value]) => [name, String(value)]);
  return String(new URLSearchParams(fields));
}

/** Says why a text is no JSON; "" if it is. @param {string} text @returns {string} */
export function faultOfJson(text) {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return `the body is not JSON: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * The parameters in one place with a value, as values of their types: those that were typed, and examples of those that must be there.
 * @param {Operation} operation
 * @param {Values} values
 * @param {Schemas} schemas
 * @param {Parameter["in"]} place
 * @returns {Record<string, string | number | boolean>}
 */
export function typedParameters(operation, values, schemas, place) {
  const named = operation.parameters.filter((parameter) => parameter.in === place);
  return Object.fromEntries(
    named.flatMap((parameter) => {
      const typed = values.parameters[parameter.name] ?? "";
      const value = typed === "" && parameter.required ? exampleOf(parameter, schemas) : typed;
      return value === "" ? [] : [[parameter.name, typedValue(value, resolve(parameter.schema, schemas))]];
    }),
  );
}

/** An example of a parameter, as text. @param {Parameter} parameter @param {Schemas} schemas @returns {string} */
export function exampleOf({ name, schema, example }, schemas) {
  const found = example ?? sampleOf({ properties: { [name]: schema }, required: [name] }, schemas);
  const value = typeof found === "object" && found !== null ? /** @type {any} */ (found)[name] : found;
  return value === null || value === undefined ? "text" : String(value);
}

/** @param {string} text @param {Schema} schema @returns {string | number | boolean} */
function typedValue(text, schema) {
  const ways = [schema, ...(schema.oneOf ?? [])];
  const types = ways.flatMap(({ type }) => type ?? []);
  if (types.includes("boolean") && ["true", "false"].includes(text)) return text === "true";
  const isNumber = types.includes("integer") || types.includes("number");
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
