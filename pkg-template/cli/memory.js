// `gguf-wasm memory`: what llama.cpp would allocate for a model.

import { ggmlTypes } from "../node.js";
import { UsageError, aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { printResult } from "./result.js";
import { openModel, warnOfSet } from "./source.js";
import { list, table } from "./table.js";
import { counted, exactSize, grouped, size } from "./text.js";

/** @import { MemoryDevice, MemoryEstimate, MemoryOptions } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** As in llama.cpp. */
const MOST_SEQUENCES = 256;

/** @param {Arguments} args */
export async function run(args) {
  const options = memoryOptions(args);
  const fit = args.size("fit");
  if (fit !== undefined && options.contextLength !== undefined) {
    throw new UsageError(
      "--fit computes the context, so --ctx-size cannot be given with it. Leave out one of the two.",
    );
  }
  /** @type {OpenedModel[]} */
  const models = [];
  try {
    const model = await openModel(args.at(0), args);
    models.push(model);
    warnOfSet(model);
    /** @type {MemoryEstimate[]} */
    const beside = [];
    for (const name of args.texts("beside")) {
      const other = await openModel(name, args);
      models.push(other);
      warnOfSet(other);
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
    };
    printResult(args, result, () => text(model, estimate, fit, largest));
    return fit !== undefined && largest === undefined ? ANSWER_IS_NO : DONE;
  } finally {
    for (const model of models) await model.close();
  }
}

/**
 * @param {Arguments} args
 * @returns {MemoryOptions}
 */
function memoryOptions(args) {
  const options = {
    contextLength: args.count("ctx-size", 1),
    sequences: args.count("parallel", 1, MOST_SEQUENCES),
    unified: args.flag("kv-unified") || undefined,
    batch: args.count("batch-size", 1),
    microBatch: args.count("ubatch-size", 1),
    flashAttention: flashAttention(args),
    keyType: typeName(args, "cache-type-k"),
    valueType: typeName(args, "cache-type-v"),
    swaFull: args.flag("swa-full") || undefined,
    gpuLayers: args.count("gpu-layers"),
    cpuExperts: args.count("n-cpu-moe"),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
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
  const choice = args.choice("flash-attn", ["on", "off"]);
  return choice === undefined ? undefined : choice === "on";
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
        : `${largest === undefined ? "none is known to fit" : `${grouped(largest)} tokens fit`} into ${exactSize(fit)}`,
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
      part("Weights", estimate.weights !== undefined, ({ weights }) => size(weights)),
      part("Keys and values", estimate.caches !== undefined, ({ cache }) => size(cache)),
      part("Recurrent state", estimate.caches !== undefined, ({ state }) => size(state)),
      part("Output", estimate.outputBytes !== undefined, ({ output }) => size(output)),
      part("Compute", estimate.compute !== undefined, ({ compute }) => range(compute.low, compute.high)),
      part("Total of these", true, (device) =>
        range(total(device, device.compute.low), total(device, device.compute.high)),
      ),
    ],
  );
  const missing = set && !set.isComplete ? set.shards.filter(({ gguf }) => !gguf).length : 0;
  const warnings = missing > 0 ? [`The tensors of ${counted(missing, "missing shard")} are not counted.`] : [];
  const sentences = [...warnings, ...notes].map((note) => `Note: ${note}\n`).join("");
  return [summary, rows, ...(sentences ? [sentences] : [])].join("\n");
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
  return size(low) === size(high) ? size(low) : `${size(low)} to ${size(high)}`;
}
