// Measures what a page computes from a header once it is open: the findings, whether llama.cpp loads it, an estimate of memory, the largest context, and
// the tokens of a text.
// `cargo xtask bench explain` writes the headers and runs this script. Figures are medians, without the first call.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Gguf } from "gguf-wasm/full";
import { machine, median, table } from "./report.mjs";

const REPEATS = 40;

/** 100 kB of UTF-8 in several scripts. */
const TEXT_SIZE = 100_000;
const SENTENCE = "The quick brown fox jumps over 1234 lazy dogs; naïve café. Съешь ещё этих мягких булок. 東京都。\n";
const text = SENTENCE.repeat(Math.floor(TEXT_SIZE / new TextEncoder().encode(SENTENCE).length));

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: explain.mjs FOLDER");

/**
 * @param {(turn: number) => void} task
 * @param {number} repeats
 */
function time(task, repeats) {
  task(0);
  const times = Array.from({ length: repeats }, (_, turn) => {
    const start = performance.now();
    task(turn + 1);
    return performance.now() - start;
  });
  return `${median(times).toFixed(2)} ms`;
}

/** @param {import("gguf-wasm/full").MetadataValue | undefined} value */
function lengthOf(value) {
  return typeof value === "object" ? value.length : 0;
}

machine();
const rows = [["header", "tensors", "validate", "loads", "memory", "largestContext"]];
const tokenizers = [["header", "model", "tokens", "merges", "tokenizer", "encode 100 kB"]];
for (const name of ["llama3", "deepseek"]) {
  const gguf = await Gguf.open(readFileSync(join(dir, `${name}.gguf`)));
  const { caches, compute } = gguf.memory();
  if (caches === undefined || compute === undefined) throw new Error(`${name}: the memory is not known`);
  rows.push([
    name,
    String(gguf.tensors.length),
    time(() => gguf.validate(), REPEATS / 4),
    time(() => gguf.loads(), REPEATS / 4),
    time((turn) => gguf.memory({ contextLength: 4096 + 256 * turn }), REPEATS),
    time((turn) => gguf.largestContext({ bytes: 2 ** 40 + turn }), REPEATS),
  ]);
}
table(rows);

for (const name of ["llama3", "deepseek", "spm"]) {
  const gguf = await Gguf.open(readFileSync(join(dir, `${name}.gguf`)));
  const tokenizer = gguf.tokenizer();
  tokenizers.push([
    name,
    tokenizer.model,
    String(tokenizer.tokenCount),
    String(lengthOf(gguf.metadata.get("tokenizer.ggml.merges"))),
    time(() => gguf.tokenizer().free(), REPEATS / 4),
    time(() => tokenizer.encode(text), REPEATS / 4),
  ]);
}
table(tokenizers);
