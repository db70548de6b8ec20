// @ts-check
// The search over operations, schemas, codes, messages and guides. No DOM.

import { nameOf, resolve } from "./document.js";
import { fieldsOf, valuesOf } from "./schema.js";

/** @import { Operation, Reference, Schema } from "./document.js" */
/** @import { Message } from "./messages.js" */

/**
 * @typedef {{ kind: string, label: string, detail: string, href: string, fields: [text: string, weight: number][] }} Entry
 *   `fields` in lower case
 * @typedef {{ guide: string, text: string, href: string }} Heading
 */

/** Nobody reads further than this. */
export const MAX_FOUND = 40;

/** A text that is longer is no search. */
const MAX_QUERY = 200;

/**
 * Everything that can be found.
 * @param {Reference} reference
 * @param {readonly Message[]} messages
 * @param {readonly Heading[]} headings of the guides
 * @returns {Entry[]}
 */
export function indexOf(reference, messages, headings) {
  const { schemas, codes } = reference;
  return [
    ...[...reference.operations.values()].map((operation) => operationEntry(operation, reference)),
    ...[...codes.values()].map(({ code, status, meaning }) =>
      entry("code", code, meaning, `#code/${code}`, [
        [code, 9],
        [meaning, 2],
        [String(status ?? "socket"), 3],
      ]),
    ),
    ...messages.map(({ sender, name, description, schema }) =>
      entry("message", name, `${sender}: ${description}`, `#message/${sender}/${name}`, [
        [name, 9],
        [`${sender} socket message`, 3],
        [description, 2],
        [Object.keys(fieldsOf(resolve(schema, schemas), schemas).properties).join(" "), 3],
      ]),
    ),
    ...Object.entries(schemas).map(([name, schema]) =>
      entry("schema", name, schema.description ?? "", `#schema/${name}`, [
        [name, 8],
        [schema.description ?? "", 2],
        [fieldNames(schema, reference), 3],
        [valuesOf(schema).join(" "), 2],
      ]),
    ),
    ...headings.map(({ guide, text, href }) =>
      entry("guide", text, guide, href, [
        [text, 6],
        [guide, 2],
      ]),
    ),
  ];
}

/** @param {Operation} operation @param {Reference} reference @returns {Entry} */
function operationEntry(operation, reference) {
  const { id, method, path, tag, title, description, parameters, body, answers } = operation;
  const used = [body?.schema, ...answers.flatMap(({ content }) => content.map(({ schema }) => schema))];
  return entry("operation", `${method} ${path}`, title, `#operation/${id}`, [
    [path, 9],
    [id, 8],
    [method, 7],
    [title, 6],
    [tag, 4],
    [parameters.map(({ name }) => name).join(" "), 5],
    [parameters.map((parameter) => parameter.description).join(" "), 1],
    [used.map(nameOf).join(" "), 4],
    [used.map((schema) => (nameOf(schema) === "Problem" ? "" : fieldNames(resolve(schema, reference.schemas), reference))).join(" "), 2],
    [answers.flatMap(({ codes }) => codes).join(" "), 3],
    [description, 2],
  ]);
}

/** @param {Schema} schema @param {Reference} reference */
const fieldNames = (schema, { schemas }) =>
  [
    ...Object.keys(fieldsOf(schema, schemas).properties),
    ...(schema.oneOf ?? []).flatMap((way) => Object.keys(fieldsOf(resolve(way, schemas), schemas).properties)),
  ].join(" ");

/**
 * @param {string} kind
 * @param {string} label
 * @param {string} detail
 * @param {string} href
 * @param {[string, number][]} fields
 * @returns {Entry}
 */
function entry(kind, label, detail, href, fields) {
  return {
    kind,
    label,
    detail: (detail.split(/\n\s*\n/)[0] ?? "").replaceAll("\n", " "),
    href,
    fields: fields.map(([text, weight]) => [text.toLowerCase(), weight]),
  };
}

/**
 * The entries that have all words of a query, the best first.
 * @param {readonly Entry[]} entries
 * @param {string} query
 * @returns {Entry[]}
 */
export function search(entries, query) {
  const words = query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = entries.flatMap((one) => {
    const scores = words.map((word) => scoreOf(one, word));
    return scores.includes(0) ? [] : [{ one, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  found.sort((a, b) => b.score - a.score || a.one.label.length - b.one.label.length);
  return found.slice(0, MAX_FOUND).map(({ one }) => one);
}

/** 0 if the word is nowhere. A whole word counts more than its beginning, and that more than any other place. @param {Entry} entry @param {string} word */
function scoreOf({ fields }, word) {
  let best = 0;
  for (const [text, weight] of fields) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const begins = at === 0 || !isLetter(text[at - 1]);
      const ends = at + word.length === text.length || !isLetter(text[at + word.length]);
      const whole = at === 0 && word.length === text.length ? 6 : 0;
      best = Math.max(best, weight * (begins && ends ? 4 : begins ? 3 : 1) + whole);
    }
  }
  return best;
}

/** @param {string | undefined} letter */
const isLetter = (letter) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
