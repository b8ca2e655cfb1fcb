// `tensorsToCsv` and `tokensToCsv`: tables for other programs.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { read } from "../corpus.mjs";
import { FILES, missing, noPython, otherPrograms } from "./other-programs.mjs";

const ask = otherPrograms();
const folder = await temporaryFolder();

/** The rows that Python's module csv reads. @param {string} csv @returns {Promise<string[][]>} */
async function rowsOf(csv) {
  const path = join(folder, "table.csv");
  await writeFile(path, csv);
  return ask("csv", path);
}

const number = (/** @type {number | undefined} */ value) => (value === undefined ? "" : String(value));

/** Texts that CSV must quote, and texts that it need not. */
const TEXTS = [
  "plain",
  "",
  "a,b",
  '"',
  'say "hi"',
  "two\nlines",
  "\r",
  "\r\n",
  " spaces ",
  "é😀",
  "'",
  ";",
  "\t",
  '","',
  "=1+1",
];
const NOT_UTF8 = Uint8Array.of(0x61, 0xff, 0x2c, 0xe2, 0x82);

describe("read back with Python's module csv", { skip: noPython }, () => {
  test("tokens", async () => {
    const texts = [...TEXTS, NOT_UTF8];
    const gguf = await Gguf.open(
      ggufBytes([
        ["tokenizer.ggml.tokens", { type: "strings", count: texts.length, at: (index) => texts[index] ?? "" }],
        ["tokenizer.ggml.token_type", { type: "int32s", count: texts.length, at: (index) => index }],
        ["tokenizer.ggml.scores", { type: "float32s", count: 3, at: (index) => [-1.5, -1e30, NaN][index] ?? 0 }],
      ]),
    );
    const [header, ...rows] = await rowsOf(gguf.tokensToCsv());
    assert.deepEqual(header, ["id", "text", "type", "score"]);
    const types = ["undefined", "normal", "unknown", "control", "user-defined", "unused", "byte"];
    const scores = ["-1.5", "-1e+30", "nan"];
    const expected = [...TEXTS, "a\ufffd,\ufffd"].map((text, id) => [
      String(id),
      text,
      types[id] ?? "undefined",
      scores[id] ?? "",
    ]);
    assert.deepEqual(rows, expected);
  });

  test("tensors", async () => {
    const tensors = TEXTS.map((name, index) => ({ name, dimensions: [32, index], type: 8, bytes: 34 * index }));
    const unknown = { name: "unknown", dimensions: [3], type: 137, bytes: 32 };
    const gguf = await Gguf.open(ggufBytes([], [...tensors, unknown]));
    const [header, ...rows] = await rowsOf(gguf.tensorsToCsv());
    assert.deepEqual(header, ["index", "name", "type", "dimensions", "elements", "bytes", "offset"]);
    const expected = gguf.tensors.map((tensor) => [
      String(tensor.index),
      tensor.name,
      tensor.type,
      tensor.dimensions.join("x"),
      number(tensor.elementCount),
      number(tensor.byteLength),
      number(tensor.fileOffset),
    ]);
    assert.deepEqual(rows, expected);
    assert.deepEqual(rows.at(-1)?.slice(1, 6), ["unknown", "unknown(137)", "3", "3", ""]);
  });

  test("files of the corpus", { skip: missing }, async () => {
    let vocabularies = 0;
    for (const file of FILES) {
      const gguf = await Gguf.open(read(`files/${file}`));
      assert.equal((await rowsOf(gguf.tensorsToCsv())).length, gguf.tensors.length + 1, file);
      const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
      if (typeof tokens !== "object" || tokens.elementType !== "STRING") continue;
      const rows = await rowsOf(gguf.tokensToCsv());
      assert.deepEqual(
        rows.slice(1).map(([, text]) => text),
        tokens.toArray(),
        file,
      );
      vocabularies += 1;
    }
    assert.ok(vocabularies > 3);
  });
});

test("every line ends with CR LF", async () => {
  const gguf = await Gguf.open(ggufBytes([], [{ name: "t", dimensions: [1], type: 0, bytes: 4 }]));
  assert.equal(gguf.tensorsToCsv(), "index,name,type,dimensions,elements,bytes,offset\r\n0,t,F32,1,1,4,64\r\n");
});

test("a file without tokens: no-tokenizer", async () => {
  const numbers = { type: /** @type {const} */ ("int32s"), count: 1, at: () => 1 };
  for (const metadata of [[], [/** @type {const} */ (["tokenizer.ggml.tokens", numbers])]]) {
    const gguf = await Gguf.open(ggufBytes(metadata));
    assert.throws(() => gguf.tokensToCsv(), { name: "GgufError", code: "no-tokenizer" });
  }
});

test("texts that are formulas get an apostrophe, if asked for", async () => {
  const texts = ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", '=",', "a=1"];
  const gguf = await Gguf.open(
    ggufBytes(
      [
        ["tokenizer.ggml.tokens", { type: "strings", count: texts.length, at: (index) => texts[index] ?? "" }],
        ["tokenizer.ggml.token_type", { type: "int32s", count: texts.length, at: () => 1 }],
      ],
      [{ name: "=cmd", dimensions: [1], type: 0, bytes: 4 }],
    ),
  );
  const safe = { spreadsheetSafe: true };
  assert.match(gguf.tensorsToCsv(), /\r\n0,=cmd,F32/);
  assert.match(gguf.tensorsToCsv(safe), /\r\n0,'=cmd,F32/);
  assert.ok(gguf.tokensToCsv().includes("\r\n0,=1+1,normal,"));
  const expected = ["'=1+1", "'+1", "'-1", "'@a", "'\t=1", '"\'\r=1"', '"\'="","', "a=1"];
  const rows = expected.map((field, index) => `${index},${field},normal,\r\n`);
  assert.equal(gguf.tokensToCsv(safe), `id,text,type,score\r\n${rows.join("")}`);
  const options = /** @type {any} */ ({ spreadsheetSafe: 1 });
  assert.throws(() => gguf.tensorsToCsv(options), { code: "invalid-argument" });
});
