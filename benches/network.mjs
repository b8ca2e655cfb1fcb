// Compares how gguf-wasm and other GGUF readers open headers over a slow link. `cargo xtask bench network` writes the
// headers and runs this script. network-server.mjs describes the link, network-contender.mjs runs one reader.
//
// The bound is one round trip plus the time for the bytes of the header at the bandwidth of the link. Each reader runs in
// its own process, in turns, so that a slow moment of the machine affects all of them alike. Its module is loaded and a
// connection is open before the measurement. Times are medians. Requests and bytes are the maximum over all runs.

import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { machine, median, table, verdict } from "./report.mjs";

/** @typedef {import("./network-contender.mjs").Timed} Timed */
/** @typedef {import("./network-server.mjs").Profile} Profile */
/** @typedef {import("./network-server.mjs").Recorded} Recorded */
/** @typedef {import("./network-server.mjs").Order} Order */
/** @typedef {(typeof HEADERS)[number]} Header */
/** @typedef {{ header: Header, reader: string, time: number, ofBound: number, beyond: number, requests: number }} Figures */

const OURS = "gguf-wasm";
const EXACT = "one exact range";
const READERS = [OURS, "@huggingface/gguf", "2 MB pieces", EXACT];

/** On the slow link, the other readers are measured only once: each run takes seconds, and the link determines the time. */
const PROFILES = [
  { rtt: 50, bandwidth: 50e6, rounds: 5, roundsOfOthers: 5 },
  { rtt: 150, bandwidth: 10e6, rounds: 3, roundsOfOthers: 1 },
];

// The goals. The first request is made before the size of the header is known, so its length limits the goal for bytes
// beyond the header.
const MOST_OF_BOUND = 1.08;
const MOST_BEYOND = 100_000;
const FIRST_REQUEST = 393_216;
const MOST_REQUESTS = 8;

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: network.mjs FOLDER");
const HEADERS = [
  { name: "llama3", tensors: 291 },
  { name: "gemma", tensors: 444 },
  { name: "deepseek", tensors: 1025 },
  { name: "spm", tensors: 291 },
].map((header) => {
  const file = join(dir, `${header.name}.gguf`);
  return { ...header, file, size: statSync(file).size };
});

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const server = fork(path("network-server.mjs"));
const [address] = await once(server, "message");

/** @param {Order} order */
async function tell(order) {
  const answer = once(server, "message");
  server.send(order);
  return (await answer)[0];
}

/**
 * @param {string} reader
 * @param {Profile} profile
 * @param {{ file: string, size: number }} header
 * @returns {Promise<Timed & Recorded>}
 */
async function measure(reader, { rtt, bandwidth }, { file, size }) {
  await tell({ begin: { rtt, bandwidth, file } });
  const args = [path("network-contender.mjs"), reader, address, String(size)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return { ...JSON.parse(stdout), ...(await tell("end")) };
}

/** @param {Profile} profile @param {number} size */
const bound = ({ rtt, bandwidth }, size) => rtt + (size * 8e3) / bandwidth;

/** @param {Profile} profile */
const link = ({ rtt, bandwidth }) => `${rtt} ms, ${bandwidth / 1e6} Mbit/s`;
/** @param {number} time */
const ms = (time) => `${time.toFixed(0)} ms`;
/** @param {number} bytes */
const kb = (bytes) => `${(bytes / 1e3).toFixed(0)} kB`;

/** Checks that the server keeps the latency and the bandwidth of the link. */
async function validate() {
  const [header] = HEADERS;
  if (!header) throw new Error("there are four headers");
  const sizes = [1, 1e6, 8e6];
  const rows = [["link", ...sizes.map((size) => `${size.toLocaleString("en")} bytes`)]];
  let most = 0;
  for (const profile of PROFILES) {
    const row = [link(profile)];
    for (const size of sizes) {
      const { time } = await measure(EXACT, profile, { ...header, size });
      row.push(`${time.toFixed(1)} of ${bound(profile, size).toFixed(1)} ms`);
      if (size === 8e6) most = Math.max(most, time / bound(profile, size));
    }
    rows.push(row);
  }
  console.log("The server itself: the time of one range request per header, including `fetch`:\n");
  table(rows);
  if (most > 1.01) console.log(`\nThe machine is busy, so the server is ${((most - 1) * 100).toFixed(1)} % too slow.`);
}

/**
 * @param {(typeof PROFILES)[number]} profile
 * @returns {Promise<Figures[]>}
 */
async function compare(profile) {
  const cases = HEADERS.flatMap((header) => READERS.map((reader) => ({ header, reader })));
  /** @type {(Timed & Recorded)[][]} */
  const runs = cases.map(() => []);
  for (let round = 0; round < profile.rounds; round++) {
    for (const [index, { header, reader }] of cases.entries()) {
      if (reader !== OURS && round >= profile.roundsOfOthers) continue;
      const run = await measure(reader, profile, header);
      if (reader !== EXACT && run.tensors !== header.tensors) throw new Error(`${reader} found ${run.tensors} tensors`);
      runs[index]?.push(run);
    }
  }
  return cases.map(({ header, reader }, index) => {
    const of = runs[index] ?? [];
    const elapsed = median(of.map(({ time }) => time));
    const sent = Math.max(...of.map(({ sent }) => sent));
    return {
      header,
      reader,
      time: elapsed,
      ofBound: elapsed / bound(profile, header.size),
      beyond: sent - header.size,
      requests: Math.max(...of.map(({ requests }) => requests)),
    };
  });
}

/**
 * @param {(typeof PROFILES)[number]} profile
 * @param {Figures[]} figures
 */
function report(profile, figures) {
  const { rounds, roundsOfOthers } = profile;
  const of = rounds === roundsOfOthers ? "each" : `of ${OURS}, ${roundsOfOthers} of the others`;
  console.log(`\n${link(profile)}, ${rounds} processes ${of}:\n`);
  const rows = [
    ["header", "reader", "time", "× bound", "beyond the header", "requests"],
    ...figures.map(({ header, reader, time, ofBound, beyond, requests }) => [
      reader === OURS ? `${header.name}, ${(header.size / 1e6).toFixed(1)} MB: ${ms(bound(profile, header.size))}` : "",
      reader,
      ms(time),
      ofBound.toFixed(3),
      kb(beyond),
      String(requests),
    ]),
  ];
  table(rows, 2);
}

/** @param {Figures[][]} results for each profile */
function goals(results) {
  /** @type {string[][]} */
  const rows = [];
  for (const [index, profile] of PROFILES.entries()) {
    const ours = (results[index] ?? []).filter(({ reader }) => reader === OURS);
    /** @type {(name: string, limit: string, figure: (of: Figures) => [shown: string, reached: boolean]) => void} */
    const goal = (name, limit, figure) => {
      const cells = ours.map(figure).map(([shown, reached]) => `${shown}, ${verdict(reached)}`);
      rows.push([`${link(profile)}: ${name}`, limit, ...cells]);
    };
    goal("time", `${MOST_OF_BOUND} × bound`, ({ ofBound }) => [ofBound.toFixed(3), ofBound <= MOST_OF_BOUND]);
    if (index > 0) continue;
    const most = (/** @type {Header} */ { size }) => Math.max(MOST_BEYOND, FIRST_REQUEST - size);
    goal("beyond the header", kb(MOST_BEYOND), ({ header, beyond }) => [kb(beyond), beyond <= most(header)]);
    goal("requests", String(MOST_REQUESTS), ({ requests }) => [String(requests), requests <= MOST_REQUESTS]);
  }
  console.log();
  table([["goal", "at most", ...HEADERS.map(({ name }) => name)], ...rows]);
}

machine();
await validate();
/** @type {Figures[][]} */
const results = [];
for (const profile of PROFILES) {
  const figures = await compare(profile);
  report(profile, figures);
  results.push(figures);
}
goals(results);
server.disconnect();
