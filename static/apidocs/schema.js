// @ts-check
// A schema as a tree whose nodes are made when they are opened, and which ends where it would repeat itself. No DOM.

import { nameOf, resolve } from "./document.js";

/** @import { Schema, Schemas } from "./document.js" */

/**
 * @typedef {{
 *   name: string, required: boolean, type: string, ref: string, limits: string[], values: string[], description: string,
 *   isRepeated: boolean, children: (() => Node[]) | null,
 * }} Node
 *   `ref`: the named schema of the node or of its items; `isRepeated`: the schema is open above, so there are no children
 */

/**
 * The node of a schema.
 * @param {string} name of the field; "" for the root
 * @param {Schema | undefined} schema
 * @param {Schemas} schemas
 * @param {{ required?: boolean, above?: readonly string[] }} [place] `above`: the named schemas that are open around it
 * @returns {Node}
 */
export function nodeOf(name, schema, schemas, { required = false, above = [] } = {}) {
  const { bare, isNullable } = withoutNull(schema ?? {});
  const { items, depth } = itemsOf(bare);
  const ref = nameOf(items);
  const inner = resolve(items, schemas);
  const isRepeated = ref !== "" && above.includes(ref);
  const open = ref === "" ? above : [...above, ref];
  const word = "list of ".repeat(depth) + typeText(items, inner, ref);
  return {
    name,
    required,
    type: isNullable ? `${word} or null` : word,
    ref,
    limits: [...(depth > 0 ? limitsOf(bare) : []), ...limitsOf(inner)],
    values: valuesOf(inner),
    description: schema?.description ?? bare.description ?? inner.description ?? "",
    isRepeated,
    children: isRepeated ? null : childrenOf(inner, schemas, open),
  };
}

/** A schema without its alternative null. @param {Schema} schema @returns {{ bare: Schema, isNullable: boolean }} */
function withoutNull(schema) {
  const ways = schema.oneOf ?? schema.anyOf;
  if (ways?.some(({ type }) => type === "null")) {
    const others = ways.filter(({ type }) => type !== "null");
    const [only] = others;
    return { bare: others.length === 1 && only ? only : { ...schema, oneOf: others, anyOf: undefined }, isNullable: true };
  }
  if (Array.isArray(schema.type) && schema.type.includes("null")) {
    const types = schema.type.filter((type) => type !== "null");
    return { bare: { ...schema, type: types.length === 1 ? types[0] : types }, isNullable: true };
  }
  return { bare: schema, isNullable: false };
}

/** The items of a list, or of a list of lists. @param {Schema} schema @returns {{ items: Schema, depth: number }} */
function itemsOf(schema) {
  let [items, depth] = [schema, 0];
  while (items.items && depth < 4) [items, depth] = [items.items, depth + 1];
  return { items, depth };
}

/** @param {Schema} schema @param {Schema} inner @param {string} ref @returns {string} */
function typeText(schema, inner, ref) {
  if (ref !== "") return ref;
  if (schema.oneOf ?? schema.anyOf) return "one of";
  if (schema.allOf) return "object";
  return [inner.type ?? (inner.properties ? "object" : inner.enum ? "string" : "any")].flat().join(" or ");
}

/** @param {Schema} schema @returns {string[]} */
function limitsOf(schema) {
  const { format, pattern, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    format && !["int32", "int64"].includes(format) ? format : "",
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    pattern ? `as ${pattern}` : "",
    schema.default === undefined ? "" : `otherwise ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== "");
}

/** @param {number | undefined} from @param {number | undefined} to @param {string} unit */
function range(from, to, unit) {
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return `${from} or more${unit}`;
  return from === undefined ? `up to ${to}${unit}` : `${from} to ${to}${unit}`;
}

/** The values that are possible, where they are listed. @param {Schema} schema @returns {string[]} */
export function valuesOf(schema) {
  if (schema.const !== undefined) return [String(schema.const)];
  if (schema.enum) return schema.enum.map(String);
  const ways = schema.oneOf ?? [];
  const listed = ways.length > 0 && ways.every((way) => way.enum || way.const !== undefined);
  return listed ? ways.flatMap(valuesOf) : [];
}

/** @param {Schema} schema @param {Schemas} schemas @param {readonly string[]} above @returns {(() => Node[]) | null} */
function childrenOf(schema, schemas, above) {
  const ways = schema.oneOf ?? schema.anyOf;
  if (ways) {
    if (valuesOf(schema).length > 0) return null;
    return () => ways.map((way) => nodeOf(variantName(way, schemas), way, schemas, { above }));
  }
  const { properties, required, more } = fieldsOf(schema, schemas);
  const names = Object.keys(properties);
  if (names.length === 0 && !more) return null;
  return () => [
    ...names.map((name) => nodeOf(name, properties[name], schemas, { required: required.includes(name), above })),
    ...(more ? [nodeOf("any other name", more, schemas, { above })] : []),
  ];
}

/**
 * The fields of an object, those of its parts among them.
 * @param {Schema} schema
 * @param {Schemas} schemas
 * @returns {{ properties: Record<string, Schema>, required: string[], more: Schema | null }}
 */
export function fieldsOf(schema, schemas) {
  const parts = (schema.allOf ?? []).map((part) => fieldsOf(resolve(part, schemas), schemas));
  const more = typeof schema.additionalProperties === "object" ? schema.additionalProperties : null;
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
    required: [...parts.flatMap(({ required }) => required), ...(schema.required ?? [])],
    more: more ?? parts.find((part) => part.more)?.more ?? null,
  };
}

/** The name of a variant: the values of its tag, or else its title. @param {Schema} way @param {Schemas} schemas @returns {string} */
export function variantName(way, schemas) {
  const inner = resolve(way, schemas);
  const tag = tagOf(inner, schemas);
  return tag === "" ? nameOf(way) || (inner.title ?? "or") : tag;
}

/** The only value of the property that tells variants apart. @param {Schema} schema @param {Schemas} schemas @returns {string} */
export function tagOf(schema, schemas) {
  const { properties } = fieldsOf(schema, schemas);
  for (const name of ["t", "kind"]) {
    const values = properties[name] ? valuesOf(resolve(properties[name], schemas)) : [];
    if (values.length === 1) return values[0] ?? "";
  }
  return "";
}
