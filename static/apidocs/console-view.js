// @ts-check
// A console for the socket: it opens one with the reader's session, sends messages, and shows the frames of both directions.

import { h } from "../core/dom.js";
import { callerText, onIdentity } from "./identity.js";
import { logView } from "./log-view.js";
import { firstExample } from "./messages.js";
import { faultOfJson } from "./request.js";

/** @import { Reference } from "./document.js" */
/** @import { Example, Message } from "./messages.js" */

const PATH = "/api/v1/ws";
const PROTOCOL = "mawe.v1";

/** The bytes of a message that the server reads. */
const MAX_MESSAGE_BYTES = 4_096;

/**
 * @param {readonly Message[]} messages
 * @param {readonly Example[]} examples
 * @param {Reference} reference
 * @param {string} [name] of the message to begin with
 * @returns {{ element: HTMLElement, leave: () => void }}
 */
export function consolePart(messages, examples, reference, name = "watch-lobby") {
  const sent = messages.filter(({ sender }) => sender === "client");
  const log = logView("Frames of the socket");
  const status = h("p", { role: "status", class: "status-line" }, "Not connected.");
  const caller = h("span", {});
  const connect = h("button", { type: "button", class: "primary" }, "Connect");
  const clear = h("button", { type: "button" }, "Clear");
  const area = h("textarea", { id: "message", rows: 8, spellcheck: false, autocomplete: "off" });
  const select = h(
    "select",
    { id: "message-type" },
    ...sent.map((message) => h("option", { value: message.name, selected: message.name === name }, message.name)),
  );
  const fault = h("p", { class: "fault", role: "alert" });
  const submit = h("button", { class: "primary", disabled: true }, "Send the message");
  const fill = () => {
    const message = sent.find((one) => one.name === select.value);
    if (message) area.value = firstExample(message, examples, reference);
  };
  select.addEventListener("change", fill);
  fill();
  const form = h(
    "form",
    { class: "try" },
    h("div", { class: "control" }, h("label", { for: "message-type" }, "Begin with the example of"), select),
    h("div", { class: "control" }, h("label", { for: "message" }, "Message"), area),
    fault,
    submit,
  );
  const line = socketLine({ status, submit, connect, log });
  connect.addEventListener("click", line.toggle);
  clear.addEventListener("click", log.clear);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = faultOfJson(area.value) === "" ? JSON.stringify(JSON.parse(area.value)) : area.value;
    const isLong = new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES;
    fault.textContent = isLong ? `The server reads ${MAX_MESSAGE_BYTES.toLocaleString("en")} bytes of a message at most.` : "";
    if (!isLong) line.send(text);
  });
  onIdentity(form, () => {
    caller.textContent = callerText();
  });
  const element = h(
    "section",
    { class: "console", "aria-label": "Console" },
    h("p", {}, "The socket is opened as this browser's session, which a token does not change. Requests are sent as: ", caller, "."),
    h("div", { class: "line" }, connect, clear),
    status,
    log.count,
    log.region,
    form,
  );
  return { element, leave: line.close };
}

/**
 * The socket behind the buttons.
 * @param {{ status: HTMLElement, submit: HTMLButtonElement, connect: HTMLButtonElement, log: ReturnType<typeof logView> }} parts
 */
function socketLine({ status, submit, connect, log }) {
  /** @type {WebSocket | null} */
  let socket = null;
  const say = (/** @type {string} */ text, /** @type {boolean} */ isOpen) => {
    status.textContent = text;
    submit.disabled = !isOpen;
    connect.textContent = socket ? "Disconnect" : "Connect";
  };
  const close = () => socket?.close(1000);
  const open = () => {
    const opened = new WebSocket(`${location.origin.replace(/^http/, "ws")}${PATH}`, PROTOCOL);
    socket = opened;
    say("Connecting …", false);
    opened.addEventListener("open", () => say(`Connected to ${PATH}, subprotocol ${opened.protocol}.`, true));
    opened.addEventListener("message", ({ data }) => log.add(`← ${data}`));
    opened.addEventListener("close", ({ code, reason }) => {
      if (socket === opened) socket = null;
      say(`Closed with ${code}${reason ? `: ${reason}` : ""}.`, false);
    });
  };
  return {
    close,
    toggle: () => (socket ? close() : open()),
    /** @param {string} text */
    send(text) {
      if (socket?.readyState !== WebSocket.OPEN) return;
      socket.send(text);
      log.add(`→ ${text}`);
    },
  };
}
