// @ts-check
// The list of new pupils, as a teacher writes it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { inGroups, placeOf, readList } from "../views/class-list.js";

describe("a list of pupils", () => {
  test("has a pupil in each line, perhaps with the name of the account", () => {
    const { pupils } = readList("Asha Juma\n  Bahati   = bahati-7 \nA = B = c\n");
    assert.deepEqual(pupils, [{ real_name: "Asha Juma" }, { real_name: "Bahati", name: "bahati-7" }, { real_name: "A = B", name: "c" }]);
  });

  test("keeps the numbers of the lines where some are empty", () => {
    const { pupils, lines } = readList("\nAsha\r\n\n \t\nBahati =\n= chiku");
    assert.deepEqual(pupils, [{ real_name: "Asha" }, { real_name: "Bahati" }, { real_name: "", name: "chiku" }]);
    assert.deepEqual(lines, [2, 5, 6]);
  });

  test("of nothing has no pupil", () => {
    assert.deepEqual(readList(" \n\n"), { pupils: [], lines: [] });
  });

  test("shows the place of each line", () => {
    const text = "Asha\n\nBahati = b\nChiku";
    for (const [line, wanted] of /** @type {const} */ ([
      [1, "Asha"],
      [2, ""],
      [3, "Bahati = b"],
      [4, "Chiku"],
    ]))
      assert.equal(text.slice(...placeOf(text, line)), wanted);
  });
});

test("a code is written in groups of four", () => {
  for (const code of ["ABCDEFGHJKMNPQRS", "ABCD-EFGH-JKMN-PQRS", "AB CDEFGHJKMNPQ RS"]) assert.equal(inGroups(code), "ABCD-EFGH-JKMN-PQRS");
  assert.equal(inGroups(""), "");
});
