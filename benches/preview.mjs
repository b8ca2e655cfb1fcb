// Measures the preview of a large tensor over a slow link. Run by `cargo xtask bench preview`. network-server.mjs
// describes the link.
//
// The tensor is an embedding of the size of Llama 3's: 4096 × 128256 in Q4_K, 295 MB. It repeats blocks that ggml has
// quantized. The bound is one round trip plus the time for the bytes of the preview at the bandwidth of the link. Times are
// medians over the processes.

import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ggufBytes } from "../tests/support/gguf-bytes.mjs";
import { blocksOf, typeOf } from "./blocks.mjs";
import { machine, median, table, verdict } from "./report.mjs";

/** @typedef {import("./preview-contender.mjs").Previewed} Previewed */
/** @typedef {import("./network-server.mjs").Order} Order */
/** @typedef {import("./network-server.mjs").Recorded} Recorded */

const LINK = { rtt: 50, bandwidth: 50e6 };
const ROUNDS = 5;
const MOST_TIME = 1200;

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: preview.mjs FOLDER");

const Q4_K = typeOf("Q4_K");
const tensor = { name: "token_embd.weight", dimensions: [4096, 128_256], type: Q4_K.id, bytes: 0 };
const [file, data] = [join(dir, "preview.gguf"), join(dir, "preview.blocks")];
writeFileSync(file, ggufBytes([], [tensor]));
writeFileSync(data, await blocksOf(Q4_K, 1 << 20));

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const server = fork(path("network-server.mjs"));
const [address] = await once(server, "message");

/** @param {Order} order */
async function tell(order) {
  const answer = once(server, "message");
  server.send(order);
  return (await answer)[0];
}

/** @returns {Promise<Previewed & Recorded>} */
async function measure() {
  await tell({ begin: { ...LINK, file, data } });
  const { stdout } = await promisify(execFile)(process.execPath, [path("preview-contender.mjs"), address], {
    timeout: 60_000,
  });
  return { ...JSON.parse(stdout), ...(await tell("end")) };
}

machine();
/** @type {(Previewed & Recorded)[]} */
const runs = [];
while (runs.length < ROUNDS) runs.push(await measure());
server.disconnect();

const of = (/** @type {keyof (Previewed & Recorded)} */ name) => median(runs.map((run) => run[name]));
const bound = LINK.rtt + (of("bytes") * 8e3) / LINK.bandwidth;
console.log(
  `Preview of a tensor of 4096 × 128256 Q4_K, 295 MB, with ${LINK.rtt} ms and ${LINK.bandwidth / 1e6} Mbit/s, ${ROUNDS} processes:\n`,
);
table(
  [
    ["open", "preview", "bound", "goal: at most", "", "bytes", "elements", "requests", "bytes sent in total"],
    [
      `${of("open").toFixed(0)} ms`,
      `${of("time").toFixed(0)} ms`,
      `${bound.toFixed(0)} ms`,
      `${MOST_TIME} ms`,
      verdict(of("time") <= MOST_TIME),
      `${(of("bytes") / 1e6).toFixed(2)} MB`,
      of("sampled").toLocaleString("en"),
      String(of("requests")),
      `${(of("sent") / 1e6).toFixed(2)} MB`,
    ],
  ],
  0,
);
