// @ts-check
// The page of an operation.
//
// article
//   header                     tag, title, method and address, texts, rights
//   div.api-halves
//     div                      parameters, body, answers
//     div.api-side             examples in three languages, the form, the answer

import { h } from "../core/dom.js";
import { accessText, isSocket } from "./document.js";
import { codeBlock, copyButton, inline, methodSign, paragraphs } from "./prose.js";
import { emptyValues } from "./request.js";
import { sampleOf } from "./sample.js";
import { nodeOf } from "./schema.js";
import { facts, schemaTree } from "./schema-view.js";
import { snippetsOf } from "./snippets.js";
import { tryPart } from "./try-view.js";

/** @import { Answer, Operation, Parameter, Reference } from "./document.js" */
/** @import { Values } from "./request.js" */

/** The language of examples that the reader chose last, in this document. */
let language = "curl";

/**
 * @param {Operation} operation
 * @param {Reference} reference
 * @param {Record<string, string>} given values from the address
 * @returns {{ element: HTMLElement, leave: () => void }}
 */
export function operationPage(operation, reference, given) {
  const examples = snippetPart(operation, reference);
  const start = { ...emptyValues(operation, reference.schemas), parameters: given };
  examples.show(start);
  const trying = isSocket(operation) ? null : tryPart(operation, reference, { given, changed: examples.show });
  const socket = h("p", {}, "A socket is tried in ", h("a", { href: "#socket" }, "the console of the socket"), ".");
  const element = h(
    "article",
    { class: "operation" },
    header(operation, reference),
    h(
      "div",
      { class: "api-halves" },
      h("div", {}, ...parameterSection(operation, reference), ...bodySection(operation, reference), answerSection(operation, reference)),
      h("div", { class: "api-side" }, examples.element, ...(trying ? [trying.form, trying.answer] : [socket])),
    ),
  );
  return { element, leave: () => trying?.stop() };
}

/** @param {Operation} operation @param {Reference} reference */
function header(operation, reference) {
  const { method, path, tag, title, description, id, isDeprecated } = operation;
  return h(
    "header",
    {},
    h("p", { class: "crumb" }, h("a", { href: `#tag/${tag}` }, tag)),
    h("h1", { tabindex: -1 }, ...inline(title.replace(/\.$/, "") || `${method} ${path}`)),
    h(
      "p",
      { class: "address" },
      methodSign(method),
      " ",
      h("code", {}, path),
      " ",
      copyButton(() => path, "the address"),
    ),
    isDeprecated ? h("p", { class: "fault" }, "Deprecated: it will be removed.") : null,
    ...paragraphs(description, reference),
    h("p", { class: "access" }, ...inline(accessText(operation.access))),
    h("p", { class: "quiet" }, "In the libraries: ", h("code", {}, id)),
  );
}

/** @param {Operation} operation @param {Reference} reference */
function parameterSection({ parameters }, reference) {
  if (parameters.length === 0) return [];
  return [
    h("h2", {}, "Parameters"),
    h("ul", { class: "fields" }, ...parameters.map((parameter) => h("li", {}, parameterLine(parameter, reference)))),
  ];
}

/** @param {Parameter} parameter @param {Reference} reference */
function parameterLine(parameter, reference) {
  const node = nodeOf(parameter.name, parameter.schema, reference.schemas, { required: parameter.required });
  const said = parameter.description || node.description;
  return h(
    "div",
    { class: "field" },
    h("code", { class: "name" }, parameter.name),
    " ",
    h("span", { class: "type" }, `${parameter.in}, ${node.type}`),
    parameter.required ? h("span", { class: "required" }, " required") : null,
    ...facts(node),
    said ? h("p", { class: "said" }, inline(said.replaceAll("\n", " "), reference)) : null,
  );
}

/** @param {Operation} operation @param {Reference} reference */
function bodySection({ body }, reference) {
  if (!body) return [];
  return [
    h("h2", {}, "Body"),
    h("p", { class: "quiet" }, body.mime, body.required ? ", required" : ", may be left out"),
    schemaTree(body.schema, reference),
  ];
}

/** @param {Operation} operation @param {Reference} reference */
function answerSection({ answers }, reference) {
  return h("div", {}, h("h2", {}, "Answers"), ...answers.map((answer) => answerPart(answer, reference)));
}

/** @param {Answer} answer @param {Reference} reference */
function answerPart(answer, reference) {
  const { status, description } = answer;
  const isGood = status < "300";
  const summary = h("summary", {}, h("code", { class: isGood ? "good" : "bad" }, status), " ", ...inline(description));
  const details = h("details", { class: "answer-row" }, summary);
  details.addEventListener("toggle", () => details.append(...answerInside(answer, reference)), { once: true });
  return details;
}

/** @param {Answer} answer @param {Reference} reference @returns {HTMLElement[]} */
function answerInside(answer, reference) {
  const { codes, content, headers, next } = answer;
  const rows = codes.map((code) =>
    h("li", {}, h("a", { href: `#code/${code}` }, h("code", {}, code)), ` ${reference.codes.get(code)?.meaning ?? ""}`),
  );
  const named = headers.map(({ name, description }) => h("li", {}, h("code", {}, name), description ? ` ${description}` : ""));
  const bodies = content.flatMap(({ mime, schema }) => [
    h("h3", {}, mime),
    schemaTree(schema, reference),
    ...(/json/.test(mime) ? [exampleOfBody(answer, schema, reference, mime)] : []),
  ]);
  const steps = next.flatMap(({ operation }) => {
    const found = reference.operations.get(operation);
    return found ? [h("li", {}, h("a", { href: `#operation/${operation}` }, `${found.method} ${found.path}`))] : [];
  });
  return [
    ...(rows.length > 0 ? [h("h3", {}, "Codes"), h("ul", { class: "codes" }, ...rows)] : []),
    ...bodies,
    ...(content.length === 0 ? [h("p", {}, "No body.")] : []),
    h("h3", {}, "Headers"),
    h("ul", {}, ...named),
    ...(steps.length > 0 ? [h("h3", {}, "What goes on with it"), h("ul", { class: "steps" }, ...steps)] : []),
  ];
}

/** @param {Answer} answer @param {import("./document.js").Schema | undefined} schema @param {Reference} reference @param {string} mime */
function exampleOfBody({ status, codes }, schema, reference, mime) {
  const value = /** @type {any} */ (sampleOf(schema, reference.schemas, { isWhole: true }));
  if (mime === "application/problem+json" && value) {
    const [code] = codes;
    Object.assign(value, { status: Number(status), ...(code ? { code, detail: reference.codes.get(code)?.meaning ?? "" } : {}) });
  }
  const text = mime === "application/x-ndjson" ? JSON.stringify(value) : JSON.stringify(value, null, 2);
  return h("details", { class: "example" }, h("summary", {}, "An example"), codeBlock(text, "the example"));
}

/** The examples, which follow the values of the form. @param {Operation} operation @param {Reference} reference */
function snippetPart(operation, { schemas }) {
  const code = h("code", {});
  const choice = h("div", { class: "choices", role: "group", "aria-label": "Language of the example" });
  /** @type {Values | null} */
  let last = null;
  const draw = () => {
    if (!last) return;
    const snippets = snippetsOf(operation, last, { origin: location.origin, schemas });
    code.textContent = snippets.find(({ name }) => name === language)?.code ?? "";
    for (const button of choice.children) button.setAttribute("aria-pressed", String(button.textContent === language));
  };
  for (const name of ["curl", "Python", "JavaScript"]) {
    const button = h("button", { type: "button" }, name);
    button.addEventListener("click", () => {
      language = name;
      draw();
    });
    choice.append(button);
  }
  const block = h(
    "div",
    { class: "code-block" },
    h("pre", { class: "snippet" }, code),
    copyButton(() => code.textContent ?? "", "the example"),
  );
  const element = h("section", { class: "snippets", "aria-label": "Examples" }, choice, block);
  const show = (/** @type {Values} */ values) => {
    last = values;
    draw();
  };
  return { element, show };
}
