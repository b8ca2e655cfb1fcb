// Measures edits: the plan, and the stream of the edited file. Run by `cargo xtask bench edit`.
//
// The file has a header like that of Llama 3. Its data are zeros of a sparse file, so that the speed of the disk does not
// matter. Each stream is read to its end, in turns with the unchanged Blob. A share is the median of the ratios.

import { execFileSync } from "node:child_process";
import { openAsBlob, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { Gguf, fileSource } from "gguf-wasm/full/node";
import { serveFolder } from "../tests/support/file-server.mjs";
import { llama3 } from "../tests/support/llama3.mjs";
import { planned, speed, turns } from "./edit-turns.mjs";
import { machine, median, table, verdict } from "./report.mjs";

/** @typedef {import("./edit-plan.mjs").Planned} Planned */
/** @typedef {import("./edit-turns.mjs").Turn} Turn */

const PLAN = fileURLToPath(new URL("edit-plan.mjs", import.meta.url));
const PROCESSES = 5;
const ROUNDS = 11;
const MOST_TIME = 10;
const LEAST_SHARE = 0.8;
const [I8, TENSORS, TENSOR] = [24, 291, 1 << 20];

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: edit.mjs FOLDER");
const file = join(dir, "edit.gguf");
const header = llama3({ dimensions: [256, 4096], type: I8, bytes: TENSOR });
const size = header.length + TENSORS * TENSOR;

function plans() {
  writeFileSync(file, header);
  /** @type {Planned[][]} */
  const runs = [];
  while (runs.length < PROCESSES) {
    runs.push(JSON.parse(execFileSync(process.execPath, [PLAN, file, String(size)], { encoding: "utf8" })));
  }
  console.log(`One edit and its plan, header of ${(header.length / 1e6).toFixed(1)} MB, ${PROCESSES} processes:\n`);
  const ms = (/** @type {number} */ time) => `${time.toFixed(2)} ms`;
  table([
    ["edit", "first", "again", "goal: at most", ""],
    ...(runs[0] ?? []).map(({ name }, index) => {
      const of = runs.map((run) => run[index] ?? { first: NaN, again: [] });
      const [first, again] = [median(of.map(({ first }) => first)), median(of.flatMap(({ again }) => again))];
      return [name, ms(first), ms(again), `${MOST_TIME} ms`, verdict(first < MOST_TIME)];
    }),
  ]);
}

/** @param {string} where @param {Turn[]} measured */
function row(where, measured) {
  const share = (/** @type {"blob" | "stream"} */ name) => median(measured.map((turn) => turn[name] / turn.copy));
  const [blob, stream] = [share("blob"), share("stream")];
  const cell = (/** @type {number} */ share) => `${share.toFixed(2)}, ${verdict(share >= LEAST_SHARE)}`;
  return [where, `${median(measured.map(({ copy }) => copy)).toFixed(0)} MB/s`, cell(blob), cell(stream)];
}

/** Compares the stream of a plan over a `fileSource` with the Blob of the same file. */
async function measureFileSource() {
  const [source, blob] = [await fileSource(file), await openAsBlob(file)];
  const plan = planned(await Gguf.open(source));
  /** @type {number[][]} */
  const measured = [];
  for (let round = -1; round < ROUNDS; round++) {
    const turn = [await speed(blob.stream(), blob.size), await speed(plan.stream(), plan.size)];
    if (round >= 0) measured.push(turn);
  }
  await source.close();
  const share = median(measured.map(([copy = NaN, stream = NaN]) => stream / copy));
  const copy = median(measured.map(([copy = NaN]) => copy));
  return [
    "Node.js, fileSource",
    `${copy.toFixed(0)} MB/s`,
    "",
    `${share.toFixed(2)}, ${verdict(share >= LEAST_SHARE)}`,
  ];
}

/** Compares the streams of a picked file in Chromium. */
async function measureInChromium() {
  const server = await serveFolder(fileURLToPath(new URL("..", import.meta.url)));
  const { GGUF_CHROMIUM: executablePath } = process.env;
  const browser = await chromium.launch({ args: ["--no-sandbox"], ...(executablePath && { executablePath }) });
  const page = await browser.newPage();
  await page.goto(`${server.origin}/tests/package/consumer/index.html`);
  await page.setContent("<input type=file>");
  await page.setInputFiles("input", file);
  const measured = await page.evaluate(async (rounds) => {
    const input = /** @type {HTMLInputElement} */ (document.querySelector("input"));
    const load = (/** @type {string} */ path) => import(path);
    const [{ Gguf }, { turns }] = [await load("/pkg/full/index.js"), await load("/benches/edit-turns.mjs")];
    return /** @type {Promise<Turn[]>} */ (turns(Gguf, input.files?.[0], rounds));
  }, ROUNDS);
  await browser.close();
  await server.close();
  return row("Chromium, a file", measured);
}

machine();
plans();
truncateSync(file, size);
console.log(
  `\nStreams of an edited file of ${(size / 1e6).toFixed(0)} MB: the speed of the unchanged Blob, and shares of it ` +
    `(goal: at least ${LEAST_SHARE}):\n`,
);
table([
  ["where", "unchanged Blob", "plan.toBlob", "plan.stream"],
  row("Node.js, a Blob", await turns(Gguf, await openAsBlob(file), ROUNDS)),
  await measureFileSource(),
  await measureInChromium(),
]);
rmSync(file);
