// @ts-check
// A value that fits a schema, for the reader to change. No DOM.

import { nameOf, resolve } from "./document.js";
import { fieldsOf } from "./schema.js";

/** @import { Schema, Schemas } from "./document.js" */

/** Deeper than any message; a schema that contains itself ends sooner. */
const MAX_DEPTH = 12;

/** Texts by the format of the schema. @type {Record<string, string>} */
const FORMATS = { "date-time": "2026-01-31T12:00:00Z", date: "2026-01-31", uri: "https://example.org/" };

/** Texts by the name of the field or of its schema, where a pattern says no more. @type {Record<string, string>} */
const TEXTS = {
  ChallengeId: "Fq3Zt8Lw1BcD",
  MatchId: "Kx7Rm2Qp9TzA",
  challenge: "Fq3Zt8Lw1BcD",
  client_id: "a-1",
  id: "Kx7Rm2Qp9TzA",
  match: "Kx7Rm2Qp9TzA",
  move: "g4f5",
  name: "Amina",
  new: "five other words to keep",
  old: "four words to remember",
  opponent: "Zofia",
  password: "four words to remember",
  player: "Amina",
  request_id: "9f86d081884c7d65",
  to: "Amina",
};

/**
 * An example of a schema: the one that the document gives, or one that is put together. Of a request only the fields that must be there;
 * of an answer all.
 * @param {Schema | undefined} schema
 * @param {Schemas} schemas
 * @param {{ isWhole?: boolean }} [options]
 * @returns {unknown}
 */
export function sampleOf(schema, schemas, { isWhole = false } = {}) {
  return sample(schema, { schemas, isWhole, above: [], name: "" });
}

/**
 * @param {Schema | undefined} schema
 * @param {{ schemas: Schemas, isWhole: boolean, above: readonly string[], name: string }} context
 * @returns {unknown}
 */
function sample(schema, context) {
  const { schemas, above } = context;
  const ref = nameOf(schema);
  const inner = resolve(schema, schemas);
  const given = givenBy(schema) ?? givenBy(inner);
  if (given !== undefined) return given;
  if ((ref !== "" && above.includes(ref)) || above.length > MAX_DEPTH) return null;
  const within = { ...context, above: ref === "" ? above : [...above, ref], name: ref in TEXTS ? ref : context.name };
  const ways = inner.oneOf ?? inner.anyOf;
  if (ways) return sample(ways.find(({ type }) => type !== "null") ?? ways[0], within);
  if (inner.items) {
    const item = sample(inner.items, within);
    return item === null ? [] : [item];
  }
  const fields = fieldsOf(inner, schemas);
  if (Object.keys(fields.properties).length > 0 || inner.type === "object") return object(fields, within);
  return simple(inner, within.name);
}

/** @param {Schema | undefined} schema @returns {unknown} */
function givenBy(schema) {
  if (!schema) return undefined;
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  return schema.enum?.[0];
}

/**
 * @param {ReturnType<typeof fieldsOf>} fields
 * @param {Parameters<typeof sample>[1]} context
 */
function object({ properties, required, more }, context) {
  const wanted = Object.entries(properties).filter(([name]) => context.isWhole || required.includes(name));
  /** @type {Record<string, unknown>} */
  const made = Object.fromEntries(wanted.map(([name, schema]) => [name, sample(schema, { ...context, name })]));
  if (more && context.isWhole) made.name = sample(more, context);
  return made;
}

/** @param {Schema} schema @param {string} name @returns {unknown} */
function simple(schema, name) {
  const type = [schema.type ?? "string"].flat().find((one) => one !== "null");
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 0, Math.min(1, schema.maximum ?? 1));
  if (type !== "string") return null;
  const text = TEXTS[name] ?? FORMATS[schema.format ?? ""] ?? "text";
  return text.padEnd(schema.minLength ?? 0, "x").slice(0, schema.maxLength ?? text.length + (schema.minLength ?? 0));
}
