// The options of `gguf-wasm memory`, as the package takes them.

import { ggmlTypes } from "../full/node.js";
import { parseSize } from "./arguments.js";
import { UsageError } from "./errors.js";
import { counted, shorten } from "./text.js";

/** @import { LoadOptions, MemoryOptions, TensorOverride } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */

/** As in llama.cpp. */
const MOST_SEQUENCES = 256;

/** The words that llama.cpp accepts for a choice of on, off or auto. */
const ON = ["on", "enabled", "true", "1"];
const OFF = ["off", "disabled", "false", "0"];
const AUTO = ["auto", "-1"];

/** The fewest bytes that are accepted without a unit. */
const LEAST_FIT = 1 << 20;

/** More layers than a model has. */
const ALL_LAYERS = 2 ** 31 - 1;

/** The settings that are given. @param {Arguments} args @returns {MemoryOptions} */
export function memoryOptions(args) {
  return given({
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
    noKvOffload: args.flag("no-kv-offload") || undefined,
    tensorSplit: tensorSplit(args),
    overrideTensors: overrideTensors(args),
  });
}

/**
 * The members that are not `undefined`.
 *
 * @template {object} T
 * @param {T} options
 * @returns {{ [Name in keyof T]?: Exclude<T[Name], undefined> }}
 */
export function given(options) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)));
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

/** The number of layers on the GPU; `undefined` for auto. @param {Arguments} args */
function gpuLayers(args) {
  const text = args.text("gpu-layers");
  // The numbers that llama.cpp uses for these words.
  if (text === undefined || ["auto", "-1"].includes(text)) return undefined;
  if (["all", "-2"].includes(text)) return ALL_LAYERS;
  if (!/^\d+$/.test(text)) {
    throw new UsageError(`--gpu-layers is "${text}", expected a whole number such as 20, or all, or auto.`);
  }
  return args.count("gpu-layers", 0, ALL_LAYERS);
}

/** @param {Arguments} args */
function cpuExperts(args) {
  const layers = args.count("n-cpu-moe", 0, ALL_LAYERS);
  if (args.flag("cpu-moe") && layers !== undefined) {
    throw new UsageError("--cpu-moe and --n-cpu-moe cannot be given together. Leave out one of them.");
  }
  return args.flag("cpu-moe") ? ALL_LAYERS : layers;
}

/** The shares of the cards, between commas or slashes. @param {Arguments} args */
function tensorSplit(args) {
  const text = args.text("tensor-split");
  if (text === undefined) return undefined;
  return text.split(/[,/]+/).map((share) => {
    if (!/^\d+(\.\d*)?$/.test(share)) {
      throw new UsageError(`--tensor-split is "${text}", expected a number for each card, such as 3,1.`);
    }
    return Number(share);
  });
}

/**
 * The patterns, as llama.cpp reads them: it splits them at commas, and a pattern ends at the first `=`.
 *
 * @param {Arguments} args
 */
function overrideTensors(args) {
  const texts = args.texts("override-tensor").flatMap((text) => text.split(","));
  return texts.length === 0 ? undefined : texts.map(overrideTensor);
}

/** @param {string} text @returns {TensorOverride} */
function overrideTensor(text) {
  const [, pattern, name = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (pattern === undefined) {
    throw new UsageError(
      `--override-tensor has "${text}", expected PATTERN=DEVICE, such as exps=CPU. llama.cpp splits at commas, so a pattern has none.`,
    );
  }
  try {
    return { pattern: new RegExp(pattern), device: deviceOf(name) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The message begins with the pattern.
    const reason = error.message.slice(error.message.lastIndexOf(": ") + 2);
    throw new UsageError(`--override-tensor has "${shorten(pattern, 80)}", which is no regular expression: ${reason}.`);
  }
}

/** A name of llama.cpp: those of cards end in their number. @param {string} name */
function deviceOf(name) {
  if (name === "CPU") return "CPU";
  if (name === "Metal") return 0;
  const [, number] = /^[A-Za-z]+(\d+)$/.exec(name) ?? [];
  if (number !== undefined) return Number(number);
  throw new UsageError(`--override-tensor has the device "${name}", expected CPU or a card such as CUDA0 or Vulkan1.`);
}

/** The memory of each GPU, in bytes. @param {Arguments} args */
export function fitSizes(args) {
  const text = args.text("fit");
  const sizes = text?.split(",").map((size) => {
    const bytes = parseSize(size.trim());
    if (bytes === undefined) {
      throw new UsageError(
        `--fit is "${text}", expected a size such as 24GiB or a number of bytes, or one for each GPU: 24GiB,12GiB.`,
      );
    }
    // As everywhere, a number without a unit is a number of bytes. No GPU has so few.
    if (bytes > 0 && bytes < LEAST_FIT && /^\d+(\.\d+)?$/.test(size.trim())) {
      throw new UsageError(
        `--fit is "${text}", which is ${counted(bytes, "byte")}. Give the unit, such as ${size.trim()}GiB.`,
      );
    }
    return bytes;
  });
  const shares = tensorSplit(args)?.length ?? 0;
  if (sizes !== undefined && shares > 0 && shares !== sizes.length) {
    throw new UsageError(
      `--tensor-split has ${shares} shares, but --fit has ${sizes.length} sizes. Give one of each for every card.`,
    );
  }
  if (sizes === undefined && args.text("ram") !== undefined) {
    throw new UsageError("--ram is only used with --fit, which has the memory of the GPU.");
  }
  return sizes;
}

/**
 * The bandwidths of the devices: one for all cards, or one for each.
 *
 * @param {Arguments} args
 * @param {number} cards
 * @returns {LoadOptions["bandwidths"]}
 */
export function bandwidths(args, cards) {
  const text = args.text("bandwidth");
  const rates = text === undefined ? [] : text.split(",").map((rate) => parseRate("bandwidth", rate.trim()));
  if (rates.length > 1 && rates.length !== cards) {
    throw new UsageError(`--bandwidth has ${rates.length} rates for ${cards} cards. Give one, or one for each card.`);
  }
  const cpu = args.text("cpu-bandwidth");
  if (rates.length === 0 && cpu === undefined) return undefined;
  const ofCards = Array.from({ length: cards }, (_, card) => rates[card] ?? rates[0]);
  return [...ofCards, cpu === undefined ? undefined : parseRate("cpu-bandwidth", cpu)];
}

/** Bytes in a second. @param {string} option @param {string} text */
function parseRate(option, text) {
  const size = text.replace(/ ?\/s$/i, "");
  const bytes = /^[\d.]+$/.test(size) ? parseSize(`${size}G`) : parseSize(size);
  if (bytes) return bytes;
  throw new UsageError(`--${option} is "${text}", expected a bandwidth such as 936GB/s.`);
}
