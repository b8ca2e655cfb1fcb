// How the findings of checks are listed.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine();

/** @type {typeof import("../../../pkg-template/common/equal-findings.js")} */
const { blockWords, joinEqual } = await import(cli.module("../common/equal-findings.js"));

describe("findings that differ only in a block are joined", async () => {
  const cases = JSON.parse(await readFile(new URL("../../fixtures/equal-findings.json", import.meta.url), "utf8"));
  for (const { name, findings, joined } of cases) {
    test(name, () => {
      const found = joinEqual(findings).map(({ findings: { length: count }, name, message }) => ({
        count,
        name,
        message,
      }));
      const expected = joined.map((/** @type {any} */ { count, name, message }) => ({ count, name, message }));
      assert.deepEqual(found, expected);
    });
  }
});

test("blocks are written as ranges", () => {
  assert.equal(blockWords([3]), "block 3");
  assert.equal(blockWords([1, 0]), "blocks 0 and 1");
  assert.equal(blockWords([0, 2, 5, 6, 7, 8, 9]), "blocks 0, 2 and 5 to 9");
  const even = Array.from({ length: 30 }, (_, index) => 2 * index);
  assert.equal(blockWords(even), "blocks 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 19 more");
});

test("validate has one line for the findings of many blocks, and --all lists each", async () => {
  const tensors = Array.from({ length: 112 }, (_, block) => ({
    name: `blk.${block}.ffn_up.weight`,
    dimensions: [8],
    // No tensor type has this id.
    type: 9999,
    bytes: 32,
  }));
  const path = join(await cli.folder(), "model.gguf");
  await writeFile(path, ggufBytes([], tensors));
  const { code, stdout } = await cli.run(["validate", path]);
  assert.equal(code, 1);
  const lines = stdout.split("\n").filter((line) => line.includes("unknown-tensor-type"));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /^warning +unknown-tensor-type +ffn_up\.weight in blocks 0 to 111: /);
  assert.match(stdout, /1 error, 1 warning in 112 places/);
  assert.match(stdout, /\nEqual findings of several blocks are one line\. --all lists each\.\n$/);
  const all = await cli.run(["validate", path, "--all"]);
  assert.equal(all.stdout.match(/unknown-tensor-type +blk\.\d+\.ffn_up\.weight: /g)?.length, 112);
  assert.doesNotMatch(all.stdout, /places|--all/);
  const { files } = await cli.json(["validate", path], 1);
  const own = files[0].findings.filter((/** @type {any} */ { code }) => code === "unknown-tensor-type");
  assert.equal(own.length, 112, "--json keeps each");
});
