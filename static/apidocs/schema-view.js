// @ts-check
// A schema as a tree of fields that open.
//
// ul.fields
//   li
//     details.field > summary + the description + ul.fields     made when it is opened
//     div.field                                                 without fields of its own

import { h } from "../core/dom.js";
import { inline, schemaLink } from "./prose.js";
import { nodeOf } from "./schema.js";

/** @import { Reference, Schema } from "./document.js" */
/** @import { Node as Field } from "./schema.js" */

/** More values than these are shown when they are asked for. */
const MAX_VALUES = 12;

/**
 * The fields of a schema, with its name before them.
 * @param {Schema | undefined} schema
 * @param {Reference} reference
 */
export function schemaTree(schema, reference) {
  const root = nodeOf("", schema, reference.schemas);
  const children = root.children?.() ?? [];
  const about = h("p", { class: "schema-line" }, ...typeOf(root), ...facts(root));
  return h("div", { class: "schema" }, about, children.length > 0 ? fieldList(children, reference) : null);
}

/** @param {readonly Field[]} fields @param {Reference} reference */
export function fieldList(fields, reference) {
  return h("ul", { class: "fields" }, ...fields.map((field) => h("li", {}, fieldOf(field, reference))));
}

/** @param {Field} field @param {Reference} reference */
function fieldOf(field, reference) {
  const line = [
    h("code", { class: "name" }, field.name),
    " ",
    h("span", { class: "type" }, field.type),
    field.required ? h("span", { class: "required" }, " required") : null,
    ...facts(field),
  ];
  const said = field.description === "" ? null : h("p", { class: "said" }, inline(field.description.replaceAll("\n", " "), reference));
  const { children } = field;
  if (!children) {
    const again = field.isRepeated ? h("p", { class: "said" }, "the same as above: ", schemaLink(field.ref)) : null;
    return h("div", { class: "field" }, h("div", {}, ...line), said, again);
  }
  const details = h("details", { class: "field" }, h("summary", {}, ...line));
  details.addEventListener(
    "toggle",
    () =>
      details.append(
        ...[said, field.ref ? h("p", { class: "said" }, "Schema ", schemaLink(field.ref)) : null, fieldList(children(), reference)].filter(
          (one) => one !== null,
        ),
      ),
    { once: true },
  );
  return details;
}

/** @param {Field} field */
const typeOf = (field) =>
  field.ref ? [field.type.replace(field.ref, ""), schemaLink(field.ref)] : [h("span", { class: "type" }, field.type)];

/** The bounds of a value and its possible values. @param {Field} field @returns {(Node | string)[]} */
export function facts({ limits, values }) {
  const shown = limits.length > 0 ? [h("span", { class: "limits" }, ` ${limits.join(", ")}`)] : [];
  if (values.length === 0) return shown;
  const list = (/** @type {readonly string[]} */ some) =>
    some.flatMap((value, place) => [place > 0 ? " " : "", h("code", { class: "value" }, value)]);
  const rest = values.slice(MAX_VALUES);
  const more = h("span", { hidden: true }, " ", ...list(rest));
  const button = h("button", { type: "button", class: "plain" }, `and ${rest.length} more`);
  button.addEventListener("click", () => {
    more.hidden = false;
    button.remove();
  });
  return [
    ...shown,
    h("span", { class: "values" }, " ", ...list(values.slice(0, MAX_VALUES)), ...(rest.length > 0 ? [more, " ", button] : [])),
  ];
}
