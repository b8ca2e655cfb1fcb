// `toMarkdown`: the text of gguf-dump.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { pathOf, read } from "../corpus.mjs";
import { FILES, missing, otherPrograms } from "./other-programs.mjs";

const ask = otherPrograms();

/** A text without what depends on the version of NumPy: whether large floats have an exponent, and so the width of cells. */
const normalised = (/** @type {string} */ text) =>
  text.replace(/\d+(\.\d+)?(e[+-]\d+)?/g, (number) => String(Number(number))).replace(/ +|-+/g, " ");

describe("gguf-dump --markdown prints the same", { skip: missing }, () => {
  const counts = { compared: 0, same: 0 };
  for (const file of FILES) {
    test(file, async (context) => {
      const path = pathOf(`files/${file}`);
      const expected = await ask("markdown", path).catch((error) => error);
      if (expected instanceof Error) return context.diagnostic(`gguf-dump: ${expected.message}`);
      const found = (await Gguf.open(read(`files/${file}`))).toMarkdown({ fileName: path });
      if (expected.hasExponents) assert.equal(found, expected.cells);
      else assert.equal(normalised(found), normalised(expected.cells));
      counts.compared += 1;
      if (found === expected.plain) counts.same += 1;
    });
  }
  test("most files were compared, and in most of them nothing was escaped", (context) => {
    context.diagnostic(`${counts.same} of ${counts.compared} texts are the same byte for byte`);
    assert.ok(counts.compared > FILES.length / 2);
    assert.ok(counts.same > counts.compared / 2);
  });
});

test("a table stays a table, whatever the file contains", { skip: missing }, async () => {
  for (const file of FILES) {
    const markdown = (await Gguf.open(read(`files/${file}`))).toMarkdown();
    const tables = markdown.split(/\n(?!\|)/).filter((part) => part.includes("\n|"));
    for (const part of tables) {
      const lines = part.split("\n").filter((line) => line.startsWith("|"));
      const cells = new Set(lines.map((line) => line.replaceAll("\\|", "").split("|").length));
      assert.equal(cells.size, 1, `${file}: ${part.slice(0, 500)}`);
      assert.match(lines[1] ?? "", /^[|:-]+$/);
    }
  }
});

test("options", async () => {
  const file = ggufBytes([["k", uint32(1)]], [{ name: "t", dimensions: [1], type: 0, bytes: 4 }]);
  const gguf = await Gguf.open(file);
  assert.ok(gguf.toMarkdown().startsWith("# model.gguf - GGUF Internal File Dump\n"));
  assert.ok(gguf.toMarkdown().includes("## Tensors Overview 1 Elements"));
  assert.ok(gguf.toMarkdown().endsWith("\nTotal BPW for model.gguf: 32.0000 bits\n"));
  const short = gguf.toMarkdown({ tensors: false, fileName: "a/b<i>\n.gguf" });
  assert.ok(short.startsWith("# a/b&lt;i>\\n.gguf - "));
  assert.ok(!short.includes("Tensor"));
  assert.ok(short.endsWith("Total BPW for b&lt;i>\\n.gguf: undefined (no elements)\n"));
  for (const wrong of [{ tensors: "no" }, { fileName: 1 }]) {
    assert.throws(() => gguf.toMarkdown(/** @type {any} */ (wrong)), { code: "invalid-argument" });
  }
});

test("a long text is put together from pieces", async () => {
  const tensors = Array.from({ length: 20_000 }, (_, index) => ({
    name: `blk.${index}.é`,
    dimensions: [1],
    type: 0,
    bytes: 0,
  }));
  const markdown = (await Gguf.open(ggufBytes([["k", text("v")]], tensors))).toMarkdown();
  assert.ok(markdown.length > 10 << 20);
  for (const index of [0, 9_999, 19_999]) assert.ok(markdown.includes(`| blk.${index}.é `));
  assert.ok(!markdown.includes("\ufffd"));
});

test("no key, name or title becomes a link, an image or HTML", async () => {
  const hostile = [
    "[click](http://evil.example)",
    "![x](http://evil.example/i.png)",
    "<http://evil.example>",
    "http://evil.example",
    "www.evil.example",
    "someone@evil.example",
    "<img src=x onerror=alert(1)>",
    "`<b>`",
    "a|b](http://evil.example)",
    "a\\|b",
    "a\n# b\n[x]: http://evil.example",
    "&lt;b&gt;",
  ];
  const entries = hostile.map((key) => /** @type {[string, any]} */ ([key, uint32(1)]));
  const names = hostile.flatMap((name) => [name, `blk.${name}.weight`]).map((name) => name.slice(0, 63));
  const tensors = names.map((name) => ({ name, dimensions: [1], type: 0, bytes: 4 }));
  const gguf = await Gguf.open(ggufBytes(entries, tensors));
  for (const fileName of hostile) {
    const lines = gguf.toMarkdown({ fileName }).split("\n");
    for (const line of lines) {
      // Code can contain anything. Its fence is a run of backticks, as long as at its start.
      const outside = line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
      const own = outside
        .replace(/^- \[[^[\]]*\]\(#[\p{L}\p{N}_-]*\)$/u, "")
        .replace(/<a name="[\p{L}\p{N}_-]*">|<\/a>/gu, "");
      assert.doesNotMatch(own, /[[\]`<@]|&(?!lt;)|:\/\/|www\./i, line);
    }
    const rows = lines.filter((line) => line.startsWith("|"));
    const tables = new Set(rows.map((line) => line.replaceAll(/\\[\\|]/g, "").split("|").length));
    assert.ok(tables.size <= 3, [...tables].join());
  }
});
