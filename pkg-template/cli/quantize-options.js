// The options of `gguf-wasm quantize`, as `requantize` takes them. Their names are those of `llama-quantize`.

import { pathToFileURL } from "node:url";
import { openImatrix } from "../convert/node.js";
import { UsageError, aboutFile } from "./errors.js";
import { locate } from "./hub.js";
import { addInput, addRemoteInput, readInput } from "./inputs.js";
import { httpUrl, requestOptions } from "./requests.js";
import { checkReadable, pathOf } from "./source.js";

/** @import { Imatrix, RequantizeOptions } from "gguf-wasm/convert" */
/** @import { Arguments } from "./arguments.js" */

/** More threads than a machine has processors. */
export const MOST_THREADS = 512;

/**
 * The options, without the importance matrix.
 *
 * @param {Arguments} args
 * @param {string} type
 * @returns {Promise<RequantizeOptions>}
 */
export async function quantizeOptions(args, type) {
  const [included, excluded] = [args.texts("include-weights"), args.texts("exclude-weights")];
  if (included.length > 0 && excluded.length > 0) {
    throw new UsageError("--include-weights and --exclude-weights cannot be given together. Leave out one of them.");
  }
  if (included.length + excluded.length > 0 && args.text("imatrix") === undefined) {
    throw new UsageError(
      "--include-weights and --exclude-weights choose tensors of an importance matrix. Give one with --imatrix FILE.",
    );
  }
  const outputTensorType = args.text("output-tensor-type");
  const tokenEmbeddingType = args.text("token-embedding-type");
  const workers = args.count("threads", 0, MOST_THREADS);
  return {
    type,
    pure: args.flag("pure"),
    leaveOutputTensor: args.flag("leave-output-tensor"),
    ...(outputTensorType !== undefined && { outputTensorType }),
    ...(tokenEmbeddingType !== undefined && { tokenEmbeddingType }),
    tensorTypes: await tensorTypes(args),
    allowRequantize: args.flag("allow-requantize"),
    ...(included.length > 0 && { includeWeights: included }),
    ...(excluded.length > 0 && { excludeWeights: excluded }),
    keepSplit: args.flag("keep-split"),
    pruneLayers: pruneLayers(args),
    overrides: args.texts("override-kv"),
    ...(workers !== undefined && { workers }),
  };
}

/**
 * The rules of the command line and of files, in the order in which they are given: the first one that matches decides.
 *
 * @param {Arguments} args
 */
async function tensorTypes(args) {
  /** @type {string[]} */
  const rules = [];
  for (const { name, value } of args.inOrder(["tensor-type", "tensor-type-file"])) {
    if (name === "tensor-type") {
      rules.push(value);
    } else {
      const text = await aboutFile(value, () => readInput(value));
      rules.push(...text.split(/\s+/).filter((rule) => rule !== ""));
    }
  }
  return rules;
}

/** @param {Arguments} args */
function pruneLayers(args) {
  const text = args.text("prune-layers");
  if (text === undefined) return [];
  return text.split(",").map((part) => {
    if (/^\s*\d{1,9}\s*$/.test(part)) return Number(part);
    throw new UsageError(`--prune-layers is "${text}", expected the numbers of blocks, such as 3,7.`);
  });
}

/**
 * Opens the importance matrix.
 *
 * @param {Arguments} args
 * @returns {Promise<Imatrix | undefined>}
 */
export async function openedImatrix(args) {
  const name = args.text("imatrix");
  if (name === undefined) return undefined;
  return aboutFile(name, async () => {
    const place = await locate(name, args);
    const url = httpUrl(place);
    if (url) {
      const options = requestOptions(place, args);
      addRemoteInput(url, options);
      return openImatrix(url, options);
    }
    const path = pathOf(place);
    await checkReadable(path);
    addInput(path);
    // As `llama-quantize`, the new file contains the path as it is given.
    return openImatrix(pathToFileURL(path), { fileName: name });
  });
}
