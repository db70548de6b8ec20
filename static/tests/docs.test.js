// @ts-check
// The pictures that the pages of docs show are there.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const docs = new URL("../../docs/", import.meta.url);

test("each picture that a page of docs shows is there", () => {
  const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));
  const shown = pages.flatMap((page) =>
    [...readFileSync(new URL(page, docs), "utf8").matchAll(/!\[[^\]]+\]\(([^)\s]+)\)/g)].map(([, path = ""]) => path),
  );
  assert.ok(shown.length > 10);
  assert.deepEqual(
    shown.filter((path) => !existsSync(new URL(path, docs))),
    [],
  );
});
