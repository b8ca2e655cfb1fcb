// Measures how long it takes to open a set of 20 shards over a slow link. `cargo xtask bench shards` writes the headers and runs
// this script. network-server.mjs describes the link.
//
// The bound is five round trips, plus the time for the bytes of all headers at the bandwidth of the link. The module is loaded
// and a connection is open before the measurement. Times are medians of five runs.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Gguf, GgufSet } from "gguf-wasm/full";
import { machine, median, table, verdict } from "./report.mjs";

/** @typedef {import("./network-server.mjs").Order} Order */

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: shards.mjs FOLDER");
const SHARDS = 20;
const ROUNDS = 5;
const ROUND_TRIPS = 5;
const [RTT, BANDWIDTH] = [50, 50e6];

const server = fork(fileURLToPath(new URL("network-server.mjs", import.meta.url)));
const [address] = await once(server, "message");
await (await fetch(`${address}/warm-up`)).arrayBuffer();

/** @param {Order} order */
async function tell(order) {
  const answer = once(server, "message");
  server.send(order);
  return (await answer)[0];
}

/** Writes the headers of the shards of a model. @param {string} name */
async function writeShards(name) {
  const header = await readFile(join(dir ?? "", `${name}.gguf`));
  /** A file that has no data, and is as long as if it had. */
  const source = {
    size: 800e9,
    read: async (/** @type {number} */ start, /** @type {number} */ end) => header.subarray(start, end),
  };
  const gguf = await Gguf.open(source);
  const shards = gguf.split({ name, maxTensors: Math.ceil(gguf.tensors.length / SHARDS) });
  await mkdir(join(dir ?? "", "shards"), { recursive: true });
  /** @type {Record<string, string>} */
  const files = {};
  let bytes = 0;
  for (const { name: file, plan } of shards) {
    const path = join(dir ?? "", "shards", file);
    await writeFile(path, plan.headerBytes());
    files[`/${file}`] = path;
    bytes += plan.headerSize;
  }
  gguf.free();
  return { files, bytes, count: shards.length };
}

const rows = [["model", "shards", "bytes of headers", "opened by", "time", "of the bound", "requests", "bytes beyond"]];
let isReached = true;
for (const name of ["llama3", "deepseek"]) {
  const { files, bytes, count } = await writeShards(name);
  const names = Object.keys(files);
  const bound = ROUND_TRIPS * RTT + (bytes * 8e3) / BANDWIDTH;
  for (const [title, path] of [
    ["the first", names[0]],
    ["the last", names.at(-1)],
  ]) {
    const [times, requests, beyond] = [[0], [0], [0]].map(() => /** @type {number[]} */ ([]));
    for (let round = 0; round < ROUNDS; round++) {
      await tell({ begin: { rtt: RTT, bandwidth: BANDWIDTH, file: files } });
      const start = performance.now();
      const set = await GgufSet.open(`${address}${path}`);
      times?.push(performance.now() - start);
      if (!set.isComplete || set.shards.length !== count) throw new Error("the set is not complete");
      set.free();
      const recorded = await tell("end");
      requests?.push(recorded.requests);
      beyond?.push(recorded.sent - bytes);
    }
    const time = median(times ?? []);
    isReached &&= time <= bound;
    rows.push([
      name,
      String(count),
      `${(bytes / 1e6).toFixed(2)} MB`,
      String(title),
      `${time.toFixed(0)} ms`,
      (time / bound).toFixed(2),
      String(Math.max(...(requests ?? []))),
      `${(Math.max(...(beyond ?? [])) / 1e6).toFixed(2)} MB`,
    ]);
  }
}
server.disconnect();
machine();
table(rows);
console.log(
  `\nAt most ${ROUND_TRIPS} round trips of ${RTT} ms and the bytes of all headers at ${BANDWIDTH / 1e6} Mbit/s: ${verdict(isReached)}`,
);
