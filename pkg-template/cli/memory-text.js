// What `gguf-wasm memory` says to people.

import { joined, safe } from "./safe-text.js";
import { list, table } from "./table.js";
import { counted, grouped, memorySize } from "./text.js";

/** @import { MemoryChoice, MemoryDevice, MemoryEstimate, MemoryOptions } from "../full/node.js" */
/** @import { OpenedModel } from "./source.js" */

/**
 * What fits into the memory of a machine.
 *
 * @typedef {object} Placement
 * @property {readonly number[]} sizes The memory of each GPU.
 * @property {number | undefined} ram The main memory.
 * @property {boolean | undefined} fits Not known: `undefined`.
 * @property {readonly MemoryChoice[]} choices The best one first.
 * @property {number | undefined} missingBytes
 * @property {number | undefined} longest The longest context. `undefined` if nothing fits on a GPU.
 * @property {MemoryOptions} settings Those of the best choice.
 * @property {MemoryEstimate} estimate That of the best choice.
 */

/**
 * @param {OpenedModel} model
 * @param {MemoryEstimate} estimate
 * @param {Placement | undefined} placement
 * @param {string | undefined} command
 * @param {boolean} asksSpeed
 */
export function memoryText({ name, set }, estimate, placement, command, asksSpeed) {
  const { architecture, contextLength, notes } = estimate;
  const summary = list([
    ["File", name],
    ["Architecture", architecture || "not given"],
    ["Context", contextLength === undefined ? "not known" : `${grouped(contextLength)} tokens`],
    ["Fits", placement && fitsText(placement)],
    ["Longest context", placement && longestText(placement)],
    ["Speed", asksSpeed ? speedText(estimate) : undefined],
  ]);
  const missing = set && !set.isComplete ? set.shards.filter(({ gguf }) => !gguf).length : 0;
  const warnings = missing > 0 ? [`The tensors of ${counted(missing, "missing shard")} are not counted.`] : [];
  const sentences = [...warnings, ...notes].map((note) => safe`Note: ${note}\n`);
  return joined(
    [
      summary,
      partsTable(estimate, placement),
      ...(placement && placement.choices.length > 1 ? [choicesTable(placement.choices, asksSpeed)] : []),
      ...(command === undefined ? [] : [safe`Command of llama-server:\n${command}\n`]),
      ...(sentences.length > 0 ? [joined(sentences)] : []),
    ],
    "\n",
  );
}

/** The answer, and the placement. @param {Placement} placement */
function fitsText({ fits, choices: [choice], missingBytes, longest, estimate }) {
  if (fits === undefined) return "not known, see the notes";
  if (choice === undefined) {
    return missingBytes === undefined
      ? "no"
      : `no: ${memorySize(missingBytes)} are missing (${counted(missingBytes, "byte")})`;
  }
  const all = (estimate.weights?.layerBytes.length ?? 0) + 1;
  const { gpuLayers, cpuExperts, allLayers, keyType, valueType, tensorSplit } = choice;
  const words = [];
  if (gpuLayers === 0) words.push("everything is on the CPU");
  else if (allLayers) words.push(`all ${grouped(all)} layers are on the GPU`);
  else words.push(`${grouped(gpuLayers)} of ${grouped(all)} layers are on the GPU`);
  if (tensorSplit) words[0] += `s (${tensorSplit.join(" + ")})`;
  if (cpuExperts > 0 && gpuLayers > 0) words.push(`the experts of ${counted(cpuExperts, "layer")} are on the CPU`);
  words.push(`the cache is ${keyType === valueType ? keyType : `${keyType} and ${valueType}`}`);
  return `${longest === undefined ? "not on the GPU" : "yes"}: ${words.join(", ")}`;
}

/** @param {Placement} placement */
function longestText({ fits, sizes, longest }) {
  if (fits === undefined) return "not known";
  const into = sizes.map((bytes) => `${memorySize(bytes)} (${counted(bytes, "byte")})`).join(" and ");
  return `${longest === undefined ? "none is known to fit" : `${grouped(longest)} tokens fit`} into ${into}`;
}

/** @param {MemoryEstimate} estimate */
function speedText({ tokensPerSecond, bytesPerToken, devices }) {
  if (tokensPerSecond !== undefined) {
    const count = tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : grouped(Math.floor(tokensPerSecond));
    return `at most ${count} tokens in a second when the context is full`;
  }
  if (bytesPerToken === undefined) return "not known: what a token reads is not known";
  const reading = devices.filter((_, i) => (bytesPerToken[i] ?? 0) > 0).map(({ name }) => name);
  const needed = [
    ...(reading.some((name) => name !== "CPU") ? ["--bandwidth"] : []),
    ...(reading.includes("CPU") ? ["--cpu-bandwidth"] : []),
  ];
  return `not known: it needs ${needed.join(" and ")}, because each token reads memory of ${reading.join(", ")}`;
}

/** The parts on each device. @param {MemoryEstimate} estimate @param {Placement | undefined} placement */
function partsTable({ devices, bytesPerToken }, placement) {
  const row = (
    /** @type {string} */ title,
    /** @type {(device: MemoryDevice, index: number) => string | undefined} */ cell,
  ) => [title, ...devices.map((device, index) => cell(device, index) ?? "not known")];
  const size = (/** @type {number | undefined} */ bytes) => (bytes === undefined ? undefined : memorySize(bytes));
  const has = (/** @type {number} */ index) => (index < devices.length - 1 ? placement?.sizes[index] : placement?.ram);
  const free = (/** @type {MemoryDevice} */ { total }, /** @type {number} */ index) => {
    const bytes = has(index);
    if (bytes === undefined) return "";
    if (total === undefined) return undefined;
    return bytes < total.high ? `none: ${memorySize(total.high - bytes)} more` : memorySize(bytes - total.high);
  };
  return table(
    [{ title: "PART" }, ...devices.map(({ name }) => ({ title: name, right: true }))],
    [
      row("Weights", ({ weights }) => size(weights)),
      row("Keys and values", ({ cache }) => size(cache)),
      row("Recurrent state", ({ state }) => size(state)),
      row("Output", ({ output }) => size(output)),
      row("Compute", ({ compute }) => range(compute)),
      row("Total", ({ total }) => range(total)),
      ...(placement ? [row("Free at least", free)] : []),
      row("Read for a token", (_, index) => size(bytesPerToken?.[index])),
    ],
  );
}

/** What else fits. @param {readonly MemoryChoice[]} choices @param {boolean} asksSpeed */
function choicesTable(choices, asksSpeed) {
  const titles = ["CACHE", "-NGL", "-NCMOE", "CONTEXT", "LONGEST", ...(asksSpeed ? ["TOKENS/S"] : [])];
  return table(
    titles.map((title, i) => ({ title, right: i > 0 })),
    choices.map(({ keyType, gpuLayers, cpuExperts, contextLength, longestContext, tokensPerSecond }) => [
      keyType,
      gpuLayers,
      cpuExperts,
      grouped(contextLength),
      grouped(longestContext),
      ...(asksSpeed ? [tokensPerSecond?.toFixed(1) ?? "not known"] : []),
    ]),
  );
}

/** @param {{ readonly low: number, readonly high: number } | undefined} sizes */
function range(sizes) {
  if (sizes === undefined) return undefined;
  const [low, high] = [memorySize(sizes.low), memorySize(sizes.high)];
  return low === high ? low : `${low} to ${high}`;
}
