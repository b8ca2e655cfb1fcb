// Runs the reading tests of the package with `gguf-wasm/reader` instead of `gguf-wasm/full`. Also tests that an object of one
// module is refused by the other.

import * as main from "gguf-wasm/full";
import * as reader from "gguf-wasm/reader";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ofRun } from "../../support/long.mjs";
import { MODEL } from "../consumer/model.js";

/** The folders of reading tests, and the test files that need functions that the reader does not have, or test it themselves. */
const READING = ["http", "sources"];
const NEEDS_MAIN = ["http/whole-answers", "http/secrets", "sources/files", "sources/handover", "sources/paths"];

/** Tests of many combinations of responses. A long run has them. */
const MANY_RESPONSES = ["http/combined-faults", "http/capped-answers"];

const TESTS = READING.flatMap((folder) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url))
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => `${folder}/${name.replace(".test.mjs", "")}`),
)
  .filter((name) => !NEEDS_MAIN.includes(name) && !ofRun(MANY_RESPONSES, []).includes(name))
  .concat("corpus/corpus", "values/values");

const USE_READER = fileURLToPath(new URL("../../support/use-reader.mjs", import.meta.url));

describe("the tests of reading pass with the reader", { concurrency: 2 }, () => {
  for (const name of TESTS) {
    test(name, async () => {
      const file = fileURLToPath(new URL(`../${name}.test.mjs`, import.meta.url));
      // With this variable, the runner would report to the runner of this test.
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
      const options = ["--import", USE_READER, "--test-reporter=tap", file];
      const { stdout } = await promisify(execFile)(process.execPath, options, { env, maxBuffer: 1 << 26 }).catch(
        (/** @type {{ stdout: string }} */ failure) => failure,
      );
      const count = (/** @type {string} */ what) => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(stdout)?.[1]);
      assert.equal(count("fail"), 0, stdout);
      assert.ok(count("pass") > 0, stdout);
    });
  }
});

test("an array of the other module is refused with the code other-module", async () => {
  const [of, other] = await Promise.all([main.Gguf.open(MODEL), reader.Gguf.open(MODEL)]);
  const tokens = other.metadata.get("tokenizer.ggml.tokens");
  assert.ok(tokens instanceof reader.MetadataArray);
  const editor = of.edit();
  for (const [key, given] of Object.entries({ "tokenizer.ggml.merges": tokens, "custom.nested": [tokens] })) {
    assert.throws(() => editor.set(key, given), { name: "GgufError", code: "other-module" });
  }
  const own = of.metadata.get("tokenizer.ggml.tokens");
  assert.ok(own !== undefined);
  editor.set("tokenizer.ggml.merges", own);
  assert.equal(editor.entries.length, 3);
});
