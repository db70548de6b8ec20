// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ownPath } from "../views/account.js";

const ORIGIN = "https://mawe.example";

describe("the page after a login", () => {
  test("is a page of this site", () => {
    for (const path of ["/", "/settings", "/player/Amina?tab=1#name", "/match/abc"]) assert.equal(ownPath(path, ORIGIN), path);
    assert.equal(ownPath("/a/../settings", ORIGIN), "/settings");
  });

  test("is never one of another site", () => {
    const others = [
      "//evil.example",
      "/\\evil.example",
      "/\t/evil.example",
      "/\n\\evil.example",
      "/.//evil.example",
      "/a/..//evil.example",
    ];
    for (const wished of [...others, "https://evil.example", "javascript:alert(1)", "settings", "", "//["])
      assert.equal(ownPath(wished, ORIGIN), "/", JSON.stringify(wished));
  });
});
