// @ts-check
// The form of an operation that sends it from this page, and its answer.
//
// form.try
//   div.control*                a parameter each: label, field
//   div.control                 the body: textarea, button that puts the example back
//   p.fault, p                  the missing value; the caller
//   button                      sends
// section.answer                status, time, headers, body or lines, steps that go on with it

import { h } from "../core/dom.js";
import { base64, headersOfInterest, isText, MAX_BYTES, pretty, readLines, readStart } from "./answer.js";
import { isStream, resolve, valueAt } from "./document.js";
import { callerText, learnIdentity, onIdentity, send } from "./identity.js";
import { logView } from "./log-view.js";
import { emptyValues, exampleOf, requestOf } from "./request.js";
import { valuesOf } from "./schema.js";

/** @import { Answer, Operation, Parameter, Reference } from "./document.js" */
/** @import { Sent, Values } from "./request.js" */

/**
 * @param {Operation} operation
 * @param {Reference} reference
 * @param {{ given: Record<string, string>, changed: (values: Values) => void }} options values from the address; told of every change
 */
export function tryPart(operation, reference, { given, changed }) {
  /** @type {Values} */
  const values = { ...emptyValues(operation, reference.schemas), parameters: { ...given } };
  const set = (/** @type {string} */ name, /** @type {string} */ value) => {
    if (name === "body") values.body = value;
    else values.parameters[name] = value;
    changed(values);
  };
  const fault = h("p", { class: "fault", role: "alert" });
  const caller = h("span", {});
  const answer = h("section", { class: "answer", "aria-label": "Answer", hidden: true });
  const isChange = operation.method !== "GET";
  const button = h("button", { class: isChange ? "sure" : "primary" }, buttonText(operation));
  const form = h(
    "form",
    { class: "try", novalidate: true },
    h("h2", {}, "Try it"),
    ...operation.parameters.map((parameter) => parameterControl(parameter, values, reference, set)),
    operation.body ? bodyControl(operation, values, reference, set) : null,
    fault,
    h("p", { class: "quiet" }, isChange ? "This is done for real on this server, as " : "Sent as ", caller, "."),
    button,
  );
  onIdentity(form, () => {
    caller.textContent = callerText();
  });
  const stopping = { stop: () => {} };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { request, faults } = requestOf(operation, values);
    fault.textContent = faults.map(({ message }) => message).join("; ");
    for (const field of form.querySelectorAll("[data-field]"))
      field.setAttribute("aria-invalid", String(faults.some((one) => one.field === field.getAttribute("data-field"))));
    const [wrong] = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('[aria-invalid="true"]'));
    wrong?.focus();
    if (faults.length > 0) return;
    stopping.stop();
    run(operation, request, answer, { reference, button, stopping });
  });
  changed(values);
  return { form, answer, stop: () => stopping.stop() };
}

/** @param {Operation} operation */
function buttonText(operation) {
  if (isStream(operation)) return "Read the stream";
  return { GET: "Send the request", DELETE: "Delete: send DELETE" }[operation.method] ?? `Change: send ${operation.method}`;
}

/** @param {Parameter} parameter @param {Values} values @param {Reference} reference @param {(name: string, value: string) => void} set */
function parameterControl(parameter, values, reference, set) {
  const { name, required } = parameter;
  const schema = resolve(parameter.schema, reference.schemas);
  const listed = [schema, ...(schema.oneOf ?? []).map((way) => resolve(way, reference.schemas))].flatMap(valuesOf);
  const isBoolean = [schema.type].flat().includes("boolean");
  const choices = isBoolean ? ["true", "false"] : listed;
  const id = `parameter-${name}`;
  const value = values.parameters[name] ?? "";
  const common = { id, "data-field": name, "aria-required": String(required) };
  const field =
    choices.length > 0
      ? h(
          "select",
          common,
          h("option", { value: "" }, required ? "choose" : "left out"),
          ...choices.map((one) => h("option", { value: one, selected: one === value }, one)),
        )
      : h("input", {
          ...common,
          type: "text",
          value,
          autocomplete: "off",
          spellcheck: false,
          placeholder: required ? `such as ${exampleOf(parameter, reference.schemas)}` : "",
        });
  field.addEventListener("input", () => set(name, field.value));
  const place = parameter.in === "path" ? "" : `, ${parameter.in}`;
  return h(
    "div",
    { class: "control" },
    h("label", { for: id }, h("code", {}, name), h("span", { class: "quiet" }, required ? ` required${place}` : place)),
    field,
  );
}

/** @param {Operation} operation @param {Values} values @param {Reference} reference @param {(name: string, value: string) => void} set */
function bodyControl(operation, values, reference, set) {
  const rows = Math.min(16, Math.max(3, values.body.split("\n").length + 1));
  const area = h("textarea", { id: "parameter-body", "data-field": "body", rows, spellcheck: false, autocomplete: "off" });
  area.value = values.body;
  area.addEventListener("input", () => set("body", area.value));
  const reset = h("button", { type: "button", class: "plain" }, "put the example back");
  reset.addEventListener("click", () => {
    area.value = emptyValues(operation, reference.schemas).body;
    set("body", area.value);
  });
  return h(
    "div",
    { class: "control" },
    h("label", { for: "parameter-body" }, "Body ", h("span", { class: "quiet" }, operation.body?.mime ?? "")),
    area,
    reset,
  );
}

/**
 * Sends a request and shows its answer.
 * @param {Operation} operation
 * @param {Sent} request
 * @param {HTMLElement} place
 * @param {{ reference: Reference, button: HTMLButtonElement, stopping: { stop: () => void } }} context
 */
async function run(operation, request, place, { reference, button, stopping }) {
  const abort = new AbortController();
  stopping.stop = () => abort.abort();
  const stop = h("button", { type: "button" }, "Stop");
  stop.addEventListener("click", () => abort.abort());
  const status = h("p", { class: "status-line", role: "status" }, "Waiting for the server …");
  place.hidden = false;
  place.replaceChildren(h("h3", {}, "Answer"), status, stop);
  button.disabled = true;
  const began = performance.now();
  try {
    const response = await send(
      isStream(operation) ? { ...request, headers: { ...request.headers, Accept: "application/x-ndjson" } } : request,
      abort.signal,
    );
    // A stream is open for long, and the form may be sent anew meanwhile.
    button.disabled = false;
    const ms = Math.round(performance.now() - began);
    status.replaceChildren(
      h("strong", { class: response.ok ? "good" : "bad" }, `${response.status} ${response.statusText}`.trim()),
      ` after ${ms} ms`,
    );
    place.append(headerList(response.headers));
    const told = (/** @type {string} */ text) => status.append(text);
    if (isStream(operation) && response.ok && response.body) await showStream(response.body, place, told);
    else await showBody(response, operation, place, { reference, told });
    if (request.method !== "GET" && response.ok) learnIdentity();
  } catch (error) {
    if (abort.signal.aborted) status.append(" – stopped");
    else status.append(h("span", { class: "fault" }, ` The answer could not be read: ${error instanceof Error ? error.message : error}`));
  } finally {
    button.disabled = false;
    stop.remove();
  }
}

/** @param {Headers} headers */
function headerList(headers) {
  const rows = headersOfInterest(headers).map(([name, value]) => h("li", {}, h("code", {}, `${name}: ${value}`)));
  return h("details", { class: "headers" }, h("summary", {}, `${rows.length} headers of interest`), h("ul", {}, ...rows));
}

/** @param {ReadableStream<Uint8Array>} body @param {HTMLElement} place @param {(text: string) => void} told */
async function showStream(body, place, told) {
  const log = logView("Lines of the stream");
  place.append(log.count, log.region);
  await readLines(body, log.add);
  told(" – the server ended the stream");
}

/**
 * @param {Response} response
 * @param {Operation} operation
 * @param {HTMLElement} place
 * @param {{ reference: Reference, told: (text: string) => void }} context
 */
async function showBody(response, operation, place, { reference, told }) {
  const { bytes, isCut } = await readStart(response.body);
  const mime = response.headers.get("content-type")?.split(";")[0] ?? "";
  told(`, ${isCut ? `more than ${MAX_BYTES.toLocaleString("en")}` : bytes.length.toLocaleString("en")} bytes`);
  if (isCut)
    place.append(h("p", { class: "fault" }, `Only the first ${MAX_BYTES.toLocaleString("en")} bytes were read: take the whole with curl.`));
  if (bytes.length === 0) return;
  if (mime.startsWith("image/") && !isCut)
    place.append(h("img", { src: `data:${mime};base64,${base64(bytes)}`, alt: "The picture of the answer" }));
  else if (isText(mime))
    place.append(
      h("pre", { class: "body", tabindex: 0, role: "region", "aria-label": "Body" }, isCut ? decoded(bytes) : pretty(decoded(bytes))),
    );
  else place.append(h("p", {}, `A body of the type ${mime || "unknown"}, which is not shown.`));
  const answer = operation.answers.find(({ status }) => status === String(response.status));
  if (answer && response.ok && !isCut) place.append(...nextSteps(answer, decoded(bytes), reference));
  if (!response.ok) place.append(...codeLink(decoded(bytes), reference));
}

/** @param {Uint8Array} bytes */
const decoded = (bytes) => new TextDecoder().decode(bytes);

/** The operations that go on with the result, filled with its values. @param {Answer} answer @param {string} text @param {Reference} reference */
function nextSteps(answer, text, reference) {
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const steps = answer.next.flatMap(({ operation, parameters }) => {
    const next = reference.operations.get(operation);
    const filled = Object.entries(parameters).map(([name, pointer]) => [name, valueAt(value, pointer) ?? ""]);
    if (!next || filled.some(([, found]) => found === "")) return [];
    return [h("li", {}, h("a", { href: `#operation/${operation}?${new URLSearchParams(filled)}` }, `${next.method} ${next.path}`))];
  });
  return steps.length > 0 ? [h("h4", {}, "Go on with it"), h("ul", { class: "steps" }, ...steps)] : [];
}

/** @param {string} text @param {Reference} reference */
function codeLink(text, { codes }) {
  try {
    const { code } = JSON.parse(text);
    const row = codes.get(code);
    return row ? [h("p", {}, h("a", { href: `#code/${code}` }, h("code", {}, code)), `: ${row.meaning}`)] : [];
  } catch {
    return [];
  }
}
