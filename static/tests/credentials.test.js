// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { base64, bytes, ownJson } from "../core/credentials.js";

test("base64url is read as it is written", () => {
  for (const [text, data] of /** @type {const} */ ([
    ["", []],
    ["AA", [0]],
    ["-_8", [251, 255]],
    ["AQIDBA", [1, 2, 3, 4]],
  ])) {
    assert.deepEqual([...bytes(text)], data);
    assert.equal(base64(new Uint8Array(data).buffer), text);
  }
});

test("an answer is written as browsers write it", () => {
  const buffer = (/** @type {number[]} */ ...data) => new Uint8Array(data).buffer;
  const rest = { id: "-_8", type: "public-key", getClientExtensionResults: () => ({}) };
  const made = {
    ...rest,
    authenticatorAttachment: "platform",
    response: { clientDataJSON: buffer(1), attestationObject: buffer(251, 255), getTransports: () => ["internal"] },
  };
  assert.deepEqual(ownJson(made), {
    id: "-_8",
    rawId: "-_8",
    type: "public-key",
    response: { clientDataJSON: "AQ", attestationObject: "-_8", transports: ["internal"] },
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
  });
  const used = {
    ...rest,
    authenticatorAttachment: null,
    response: { clientDataJSON: buffer(1), authenticatorData: buffer(2), signature: buffer(3), userHandle: null },
  };
  assert.deepEqual(ownJson(used), {
    id: "-_8",
    rawId: "-_8",
    type: "public-key",
    response: { clientDataJSON: "AQ", authenticatorData: "Ag", signature: "Aw" },
    clientExtensionResults: {},
  });
});
