// Measures what a page computes from a header once it is open: the findings, an estimate of memory, and the largest context.
// `cargo xtask bench explain` writes the headers and runs this script. Figures are medians, without the first call.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Gguf } from "gguf-wasm";
import { machine, median, table } from "./report.mjs";

const REPEATS = 40;

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

machine();
const rows = [["header", "tensors", "tokens", "validate", "memory", "largestContext"]];
for (const name of ["llama3", "deepseek"]) {
  const gguf = await Gguf.open(readFileSync(join(dir, `${name}.gguf`)));
  const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
  const { caches, compute } = gguf.memory();
  if (caches === undefined || compute === undefined) throw new Error(`${name}: the memory is not known`);
  rows.push([
    name,
    String(gguf.tensors.length),
    String(Array.isArray(tokens) || typeof tokens !== "object" ? 0 : tokens.length),
    time(() => gguf.validate(), REPEATS / 4),
    time((turn) => gguf.memory({ contextLength: 4096 + 256 * turn }), REPEATS),
    time((turn) => gguf.largestContext({ bytes: 2 ** 40 + turn }), REPEATS),
  ]);
}
table(rows);
