// `gguf-wasm memory`: what llama.cpp would allocate for a model, and what fits into the memory of a machine.

import { aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { bandwidths, fitSizes, given, memoryOptions } from "./memory-options.js";
import { memoryText } from "./memory-text.js";
import { fitsText, projectorFits } from "./projector-fit.js";
import { printResult } from "./result.js";
import { joined } from "./safe-text.js";
import { serverCommand } from "./server-command.js";
import { openModel, warnOfSet } from "./source.js";

/** @import { Gguf, MemoryChoice, MemoryEstimate, MemoryOptions } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { Placement } from "./memory-text.js" */
/** @import { OpenedModel } from "./source.js" */

/** As llama.cpp: the shortest context that is of use, of a model that does not state its own. */
const LEAST_CONTEXT = 4096;

/** @param {Arguments} args */
export async function run(args) {
  const options = memoryOptions(args);
  const fit = fitSizes(args);
  const ram = args.size("ram");
  const cards = Math.max(fit?.length ?? 1, options.tensorSplit?.length ?? 1);
  const rates = bandwidths(args, cards);
  /** @type {OpenedModel[]} */
  const models = [];
  try {
    for (const name of [args.at(0), ...args.texts("beside")]) {
      const opened = await openModel(name, args);
      models.push(opened);
      warnOfSet(opened, args);
    }
    const [model, ...others] = /** @type {[OpenedModel, ...OpenedModel[]]} */ (models);
    /** @type {MemoryEstimate[]} */
    const beside = [];
    for (const other of others) beside.push(await aboutFile(other.name, () => other.gguf.memory()));
    const settings = { ...options, ...given({ bandwidths: rates }), beside };
    const { gguf } = model;
    const placement =
      fit === undefined ? undefined : await aboutFile(model.name, () => placed(gguf, settings, args, fit, ram));
    const estimate = placement?.estimate ?? (await aboutFile(model.name, () => gguf.memory(settings)));
    const choice = placement?.choices[0];
    const kinds = others.map(({ name, gguf }) => ({ name, kind: gguf.kind }));
    const command = placement && choice && serverCommand(model.name, placement.settings, args, kinds);
    const fits = projectorFits(model, others);
    const result = {
      file: model.name,
      ...(placement && {
        fit: fit?.length === 1 ? fit[0] : fit,
        largestContext: placement.longest ?? null,
        choices: placement.choices,
        ...given({ missingBytes: placement.missingBytes, command }),
      }),
      ...estimate,
      ...(fits.length > 0 && { projectorFits: fits }),
      ...(models.some(({ set }) => set) && { findings: models.flatMap(findingsOf) }),
    };
    await printResult(args, result, () => {
      const text = memoryText(model, estimate, placement, command, rates !== undefined);
      return fits.length > 0 ? joined([text, fitsText(fits)], "\n") : text;
    });
    return placement && placement.longest === undefined ? ANSWER_IS_NO : DONE;
  } finally {
    for (const model of models) await model.close();
  }
}

/**
 * The problems of a model that is a set. For a model of --beside, each problem names the file.
 *
 * @param {OpenedModel} model
 * @param {number} i
 */
function findingsOf({ name, set }, i) {
  return (set?.findings ?? []).map((finding) => (i === 0 ? finding : { ...finding, file: name }));
}

/**
 * The best placement that fits, with its estimate.
 *
 * @param {Gguf} gguf
 * @param {MemoryOptions} options
 * @param {Arguments} args
 * @param {readonly number[]} sizes The memory of each GPU.
 * @param {number | undefined} ram
 * @returns {Placement}
 */
function placed(gguf, options, args, sizes, ram) {
  const { trainedContextLength } = gguf.memory(options);
  const contextLength = args.count("ctx-size") === 0 ? trainedContextLength : options.contextLength;
  const wanted = contextLength ?? trainedContextLength;
  const { fits, choices, missingBytes, notes } = gguf.fit({
    ...options,
    gpuBytes: sizes,
    ...given({ machineBytes: ram, contextLength, leastContext: wanted === undefined ? LEAST_CONTEXT : undefined }),
  });
  const [choice] = choices;
  const settings = { ...options, ...given({ contextLength }), ...(choice && settingsOf(choice)) };
  // Cards without a layer are cards, too.
  const shares = settings.tensorSplit ?? (sizes.length > 1 ? sizes.map(() => 1) : undefined);
  const estimate = gguf.memory({ ...settings, ...given({ tensorSplit: shares }) });
  // A model that is wholly on the CPU counts as not fitting a GPU, unless the caller asked for the CPU.
  const isOnGpu = choice !== undefined && (choice.gpuLayers > 0 || options.gpuLayers === 0);
  const longest = isOnGpu ? choice.longestContext : undefined;
  const beyond = longest === undefined ? [] : gguf.memory({ ...settings, contextLength: longest }).notes;
  const all = new Set([...estimate.notes, ...notes, ...beyond]);
  return {
    sizes,
    ram,
    fits,
    choices,
    missingBytes,
    longest,
    settings,
    estimate: { ...estimate, notes: [...all] },
  };
}

/** The settings of a choice. @param {MemoryChoice} choice */
const settingsOf = ({ contextLength, keyType, valueType, gpuLayers, cpuExperts, tensorSplit }) =>
  given({ contextLength, keyType, valueType, gpuLayers, cpuExperts, tensorSplit });
