// Compares what the package reads in every file of the corpus with the dump of an independent reader.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { check } from "../corpus-dump.mjs";
import { json, missing, read } from "../corpus.mjs";

const { files = [] } = json("files/index.json");
const { cases = [] } = json("malformed/index.json");

describe("files", { skip: missing, concurrency: true }, () => {
  for (const { file, expected } of files) {
    test(file, async () => {
      const bytes = read(`files/${file}`);
      await check(await Gguf.open(bytes), bytes, json(`files/${expected}`));
    });
  }
});

describe("real files", { skip: missing }, () => {
  const { files = [] } = json("real/index.json");
  for (const { file, expected } of files) {
    test(file, async () => {
      const bytes = read(`real/${file}`);
      await check(await Gguf.open(bytes), bytes, json(`real/${expected}`));
    });
  }
});

describe("malformed files", { skip: missing }, () => {
  for (const { name, file, expect, strictness, stage, why } of cases) {
    test(`${name}: ${why}`, async () => {
      const bytes = read(`malformed/${file}`);
      const outcome = await Gguf.open(bytes).then(
        (gguf) => ({ gguf }),
        (error) => ({ error }),
      );
      if ("error" in outcome) {
        const { error } = outcome;
        assert.equal(error.name, "GgufError", String(error.stack));
        assert.ok(error.offset >= 0 && error.offset <= bytes.length, `offset ${error.offset}`);
        assert.match(error.message, /^cannot read the header at offset 0x[0-9a-f]+: /);
        assert.notEqual(expect, "ok", error.message);
        if (name.startsWith("trunc-")) assert.equal(error.code, "unexpected-eof");
      } else {
        const { gguf } = outcome;
        const mustFail = expect === "error" && strictness === "must" && (stage === "header" || stage === "kv");
        assert.ok(!mustFail, "it opened");
        assert.equal(gguf.entries.length >= gguf.metadata.size, true);
        for (const tensor of gguf.tensors) {
          const data = gguf.readBytes(tensor);
          await data.catch((error) => assert.equal(error.name, "GgufError", String(error.stack)));
        }
      }
    });
  }
});
