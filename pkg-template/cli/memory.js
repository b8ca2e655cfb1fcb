// `gguf-wasm memory`: what llama.cpp would allocate for a model.

import { ggmlTypes } from "../node.js";
import { UsageError, aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { printResult } from "./result.js";
import { openModel, warnOfSet } from "./source.js";
import { joined, safe } from "./safe-text.js";
import { list, table } from "./table.js";
import { counted, grouped, memorySize } from "./text.js";

/** @import { MemoryDevice, MemoryEstimate, MemoryOptions } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** As in llama.cpp. */
const MOST_SEQUENCES = 256;

/** The words that llama.cpp accepts for a choice of on, off or auto. */
const ON = ["on", "enabled", "true", "1"];
const OFF = ["off", "disabled", "false", "0"];
const AUTO = ["auto", "-1"];

/** More layers than a model has. */
const ALL_LAYERS = 2 ** 31 - 1;

/** @param {Arguments} args */
export async function run(args) {
  const options = memoryOptions(args);
  const fit = args.size("fit");
  if (fit !== undefined && args.text("ctx-size") !== undefined) {
    throw new UsageError(
      "--fit computes the context, so --ctx-size cannot be given with it. Leave out one of the two.",
    );
  }
  /** @type {OpenedModel[]} */
  const models = [];
  try {
    const model = await openModel(args.at(0), args);
    models.push(model);
    warnOfSet(model, args);
    /** @type {MemoryEstimate[]} */
    const beside = [];
    for (const name of args.texts("beside")) {
      const other = await openModel(name, args);
      models.push(other);
      warnOfSet(other, args);
      beside.push(await aboutFile(name, () => other.gguf.memory()));
    }
    const { contextLength, ...others } = { ...options, beside };
    const { gguf } = model;
    const largest =
      fit === undefined ? undefined : await aboutFile(model.name, () => gguf.largestContext({ ...others, bytes: fit }));
    const chosen = largest ?? contextLength;
    const settings = chosen === undefined ? others : { ...others, contextLength: chosen };
    const estimate = await aboutFile(model.name, () => gguf.memory(settings));
    const result = {
      file: model.name,
      ...(fit !== undefined && { fit, largestContext: largest ?? null }),
      ...estimate,
      ...(models.some(({ set }) => set) && { findings: models.flatMap(findingsOf) }),
    };
    await printResult(args, result, () => text(model, estimate, fit, largest));
    return fit !== undefined && largest === undefined ? ANSWER_IS_NO : DONE;
  } finally {
    for (const model of models) await model.close();
  }
}

/** What is wrong with the set of a model. Those of --beside name it. @param {OpenedModel} model @param {number} i */
function findingsOf({ name, set }, i) {
  return (set?.findings ?? []).map((finding) => (i === 0 ? finding : { ...finding, file: name }));
}

/**
 * @param {Arguments} args
 * @returns {MemoryOptions}
 */
function memoryOptions(args) {
  const options = {
    // As in llama.cpp, 0 is the context with which the model was trained.
    contextLength: args.count("ctx-size") || undefined,
    sequences: args.count("parallel", 1, MOST_SEQUENCES),
    unified: unified(args),
    batch: args.count("batch-size", 1),
    microBatch: args.count("ubatch-size", 1),
    flashAttention: flashAttention(args),
    keyType: typeName(args, "cache-type-k"),
    valueType: typeName(args, "cache-type-v"),
    swaFull: args.flag("swa-full") || undefined,
    gpuLayers: gpuLayers(args),
    cpuExperts: cpuExperts(args),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** @param {Arguments} args */
function unified(args) {
  if (args.flag("kv-unified") && args.flag("no-kv-unified")) {
    throw new UsageError("--kv-unified and --no-kv-unified cannot be given together. Leave out one of them.");
  }
  return args.flag("kv-unified") || undefined;
}

/** @param {Arguments} args @param {string} option */
function typeName(args, option) {
  const text = args.text(option);
  const name = text?.toUpperCase();
  if (name !== undefined && !ggmlTypes().some((type) => type.name === name)) {
    throw new UsageError(`--${option} is "${text}", expected a type such as F16, BF16, Q8_0 or Q4_0.`);
  }
  return name;
}

/** @param {Arguments} args */
function flashAttention(args) {
  const text = args.text("flash-attn");
  if (text === undefined || AUTO.includes(text)) return undefined;
  if (ON.includes(text)) return true;
  if (OFF.includes(text)) return false;
  throw new UsageError(`--flash-attn is "${text}", expected on, off or auto.`);
}

/** The number of layers on the GPU; `undefined` for all. @param {Arguments} args */
function gpuLayers(args) {
  const text = args.text("gpu-layers");
  // The numbers that llama.cpp uses for these words.
  const isAll = text === undefined || ["all", "auto", "-1", "-2"].includes(text);
  if (!isAll && !/^\d+$/.test(text)) {
    throw new UsageError(`--gpu-layers is "${text}", expected a whole number such as 20, or all, or auto.`);
  }
  return isAll ? undefined : args.count("gpu-layers");
}

/** @param {Arguments} args */
function cpuExperts(args) {
  const layers = args.count("n-cpu-moe");
  if (args.flag("cpu-moe") && layers !== undefined) {
    throw new UsageError("--cpu-moe and --n-cpu-moe cannot be given together. Leave out one of them.");
  }
  return args.flag("cpu-moe") ? ALL_LAYERS : layers;
}

/**
 * @param {OpenedModel} model
 * @param {MemoryEstimate} estimate
 * @param {number | undefined} fit
 * @param {number | undefined} largest
 */
function text({ name, set }, estimate, fit, largest) {
  const { architecture, contextLength, devices, notes } = estimate;
  const summary = list([
    ["File", name],
    ["Architecture", architecture || "not given"],
    ["Context", contextLength === undefined ? "not known" : `${grouped(contextLength)} tokens`],
    [
      "Longest context",
      fit === undefined
        ? undefined
        : `${largest === undefined ? "none is known to fit" : `${grouped(largest)} tokens fit`} into ${memorySize(fit)} (${counted(fit, "byte")})`,
    ],
  ]);
  // A part that is not known counts as 0 in the figures of the devices.
  const part = (
    /** @type {string} */ title,
    /** @type {boolean} */ isKnown,
    /** @type {(device: MemoryDevice) => string} */ cell,
  ) => {
    return [title, ...devices.map((device) => (isKnown ? cell(device) : "not known"))];
  };
  const rows = table(
    [{ title: "PART" }, ...devices.map(({ name }) => ({ title: name, right: true }))],
    [
      part("Weights", estimate.weights !== undefined, ({ weights }) => memorySize(weights)),
      part("Keys and values", estimate.caches !== undefined, ({ cache }) => memorySize(cache)),
      part("Recurrent state", estimate.caches !== undefined, ({ state }) => memorySize(state)),
      part("Output", estimate.outputBytes !== undefined, ({ output }) => memorySize(output)),
      part("Compute", estimate.compute !== undefined, ({ compute }) => range(compute.low, compute.high)),
      part("Total of these", true, (device) =>
        range(total(device, device.compute.low), total(device, device.compute.high)),
      ),
    ],
  );
  const missing = set && !set.isComplete ? set.shards.filter(({ gguf }) => !gguf).length : 0;
  const warnings = missing > 0 ? [`The tensors of ${counted(missing, "missing shard")} are not counted.`] : [];
  const sentences = [...warnings, ...notes].map((note) => safe`Note: ${note}\n`);
  return joined([summary, rows, ...(sentences.length > 0 ? [joined(sentences)] : [])], "\n");
}

/**
 * @param {MemoryDevice} device
 * @param {number} compute
 */
function total({ weights, cache, state, output }, compute) {
  return weights + cache + state + output + compute;
}

/**
 * @param {number} low
 * @param {number} high
 */
function range(low, high) {
  return memorySize(low) === memorySize(high) ? memorySize(low) : `${memorySize(low)} to ${memorySize(high)}`;
}
