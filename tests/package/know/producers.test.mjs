// Files as twenty programs write them, opened with the package: their figures, types and values, and edits that lose nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { Gguf } from "gguf-wasm/full/node";
import { pathOf } from "../corpus.mjs";
import { expression, forbiddenFinding, rows } from "../producers.mjs";

/** @import { Row } from "../producers.mjs" */

/** Files that are no GGUF file, or have one inside: `cli/containers.test.mjs` opens them. */
const IS_GGUF = /\.gguf$/;

/** @param {number} bits */
const hexadecimal = (bits) => (bits >>> 0).toString(16).padStart(8, "0");

/** @param {Gguf} gguf */
function said(gguf) {
  const findings = gguf.validate();
  const texts = findings.map(({ message }) => message);
  return { findings, texts, all: [gguf.loads().sentence, ...texts].join("\n") };
}

/** The text that the row forbids and the program says. @param {string} rule @param {ReturnType<typeof said>} of */
function forbidden(rule, { findings, texts }) {
  const found = forbiddenFinding(rule);
  if (!found) return texts.find((text) => expression(rule).test(text));
  const { severity, code } = found;
  return findings.find((finding) => finding.severity === severity && (code === "*" || finding.code === code))?.message;
}

for (const row of rows.filter(({ file }) => IS_GGUF.test(file))) {
  test(row.file, async () => {
    const path = pathOf(`producers/${row.file}`);
    const gguf = await Gguf.open(path);
    /** @type {Record<string, number>} */
    const types = {};
    for (const { type } of gguf.tensors) types[type] = (types[type] ?? 0) + 1;
    assert.deepEqual(types, row.tensorTypes);
    assert.equal(gguf.parameterCount, row.parameters);
    assert.ok(Math.abs((gguf.bitsPerWeight ?? 0) - row.bitsPerWeight) < 1e-6, String(gguf.bitsPerWeight));
    if (gguf.tensors.some(({ typeOwner }) => typeOwner !== undefined)) checkAdvice(gguf, row);
    for (const { tensor, first8 } of row.values ?? []) {
      const read = await gguf.read(tensor, { start: 0, end: first8.length });
      const bits = new Uint32Array(read.buffer, read.byteOffset, read.length);
      assert.deepEqual(Array.from(bits, hexadecimal), first8, tensor);
    }
    if (row.editLossless) await editAndCompare(gguf, path);
  });
}

/** What is said of a file with tensor types of another program. @param {Gguf} gguf @param {Row} row */
function checkAdvice(gguf, { mustSay, mustNotSay }) {
  const texts = said(gguf);
  for (const rule of mustNotSay) assert.equal(forbidden(rule, texts), undefined, rule);
  for (const rule of mustSay) assert.match(texts.all, expression(rule));
}

/** A longer name changes nothing else. @param {Gguf} gguf @param {string} path */
async function editAndCompare(gguf, path) {
  const old = readFileSync(path);
  const editor = gguf.edit();
  editor.set("general.name", "A name that is longer than the one before, so that the data moves");
  const plan = editor.plan();
  const chunks = [];
  for await (const chunk of plan.stream()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const edited = await Gguf.open(bytes);
  assert.ok(bytes.subarray(edited.dataOffset).equals(old.subarray(gguf.dataOffset)), "the data is the same");
  assert.deepEqual(
    edited.tensors.map(({ name, type, dimensions, offset }) => [name, type, dimensions, offset]),
    gguf.tensors.map(({ name, type, dimensions, offset }) => [name, type, dimensions, offset]),
  );
  const others = (/** @type {Gguf} */ { metadata }) =>
    [...metadata]
      .filter(([key]) => key !== "general.name")
      .map(([key, value]) => [key, JSON.stringify(value, numbers)]);
  assert.deepEqual(others(edited), others(gguf));
}

/** @param {string} _name @param {unknown} value */
const numbers = (_name, value) => (typeof value === "bigint" ? String(value) : value);
