// The table of error codes in the types of each entry.

import assert from "node:assert/strict";
import { test } from "node:test";
import { typesOf } from "../../support/entry-types.mjs";
import { SHIPPED } from "../size.mjs";

for (const module of SHIPPED) {
  test(`${module.entry}: the types say what each error code means, and what to do`, () => {
    const types = typesOf(module);
    const [, table = "", union = ""] =
      /\/\*\*((?:(?!\*\/).)*)\*\/\nexport type GgufErrorCode =(.*?);/s.exec(types) ?? [];
    const codes = [...union.matchAll(/"([a-z-]+)"/g)].map(([, code]) => code);
    const rows = [...table.matchAll(/^ \* \| `([a-z-]+)` \| (.*) \| (.*) \|$/gm)];
    assert.ok(codes.length > 60);
    assert.deepEqual(
      rows.map(([, code]) => code),
      codes,
    );
    for (const [, code, ...texts] of rows) for (const text of texts) assert.match(text, /^[A-Z].*\.$/, code);
  });
}
