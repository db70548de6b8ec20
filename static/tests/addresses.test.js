// @ts-check
// The page's files name each other by relative addresses: only so they stay below the version that a document names
// (docs/decisions/0018-versions.md).
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const FILES = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => !/^(?:tests|apidocs)\//.test(path));

/** The files that have one address in all versions. */
const FIXED = /^\/(?:sw\.js|third-party-notices\.txt|looks\/.*)$/;

/** The absolute addresses of files in a script or a style sheet. @param {string} text @returns {string[]} */
const named = (text) => {
  const names = [...text.matchAll(/["'`(](\/[^\s"'`()]*\.(?:js|css|json|svg|png|ico|woff2|wasm|txt|webmanifest))["'`)]/g)].map(
    ([, name = ""]) => name,
  );
  const folders = [...text.matchAll(/["'`(](\/(?:art|board|core|css|engine|fonts|games|i18n|icons|local|net|vendor|views|wasm)\/)/g)].map(
    ([, name = ""]) => name,
  );
  return [...names, ...folders].filter((name) => !FIXED.test(name) && !name.startsWith("/api/"));
};

test("a file of the page names no other by an absolute address", () => {
  // The worker has the paths of files for names.
  const sources = FILES.filter((path) => /\.(?:js|css)$/.test(path) && path !== "sw.js");
  assert.ok(sources.length > 150);
  const found = sources.flatMap((path) => named(readFileSync(new URL(path, root), "utf8")).map((name) => `${path}: ${name}`));
  assert.deepEqual(found, []);
});

test("an absolute address is found", () => {
  for (const text of ['import("/core/dom.js")', "url(/icon.svg)", 'url("/fonts/a.woff2")', "`/i18n/`", "`/art/mawe.svg`"])
    assert.notDeepEqual(named(text), [], text);
  for (const text of ['register("/sw.js")', 'fetch("/api/openapi.json")', 'from "./dom.js"', 'url("../icon.svg")', '"/play/"'])
    assert.deepEqual(named(text), [], text);
});
