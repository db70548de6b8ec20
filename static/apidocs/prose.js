// @ts-check
// Texts of the document, in which backticks mark code.

import { h } from "../core/dom.js";

/** @import { Reference } from "./document.js" */

/**
 * The parts of a text: code in backticks; known codes and operations as links.
 * @param {string} text
 * @param {Pick<Reference, "codes" | "operations">} [reference]
 * @returns {(Node | string)[]}
 */
export function inline(text, reference) {
  return text.split("`").map((part, place) => {
    if (place % 2 === 0) return part;
    const code = h("code", {}, part);
    const href = reference ? targetOf(part, reference) : "";
    return href === "" ? code : h("a", { href }, code);
  });
}

/** @param {string} name a code, or `GET /path` @param {Pick<Reference, "codes" | "operations">} reference */
function targetOf(name, { codes, operations }) {
  if (codes.has(name)) return `#code/${name}`;
  const [method, path] = name.split(" ");
  const operation = [...operations.values()].find((one) => one.method === method && one.path === path);
  return operation ? `#operation/${operation.id}` : "";
}

/** Paragraphs. @param {string} text @param {Pick<Reference, "codes" | "operations">} [reference] @returns {HTMLElement[]} */
export function paragraphs(text, reference) {
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== "");
  return parts.map((part) => h("p", {}, inline(part.replaceAll("\n", " "), reference)));
}

/** The first paragraph of a text, as one line. @param {string} text @returns {string} */
export const firstParagraph = (text) => (text.split(/\n\s*\n/)[0] ?? "").replaceAll("\n", " ");

/** Text with a button that copies it. @param {() => string} read @param {string} what for screen readers */
export function copyButton(read, what) {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(read());
      button.textContent = "Copied";
    } catch {
      // Without https there is no clipboard, except on localhost.
      button.textContent = "Not copied: select the text";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  return button;
}

/** A block of code with its button. @param {string} text @param {string} what */
export function codeBlock(text, what) {
  return h(
    "div",
    { class: "code-block" },
    h("pre", {}, h("code", {}, text)),
    copyButton(() => text, what),
  );
}

/** The name of a method, in its colour. @param {string} method */
export const methodSign = (method) => h("span", { class: `method ${method.toLowerCase()}` }, method);

/** A link to a named schema. @param {string} name */
export const schemaLink = (name) => h("a", { href: `#schema/${name}` }, h("code", {}, name));

/** A line of an operation in a list. @param {import("./document.js").Operation} operation */
export function operationRow({ id, method, path, title }) {
  return h(
    "li",
    {},
    h("a", { href: `#operation/${id}` }, methodSign(method), " ", h("code", {}, path)),
    h("span", { class: "quiet" }, title),
  );
}
