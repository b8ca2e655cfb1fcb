/** What the choices of the panel mean for a model. */

import type { FileKind, Gguf, MemoryOptions } from "gguf-wasm/explain";
import { usualMemory } from "../gguf/usual-memory.ts";
import type { Machine } from "./machine.ts";
import { DEFAULTS, type MemoryState, MOST } from "./memory-state.ts";
import { usualSplit } from "./room.ts";

/** The facts of a model that decide which choices there are. */
export interface ModelFacts {
  /** The context that the model was trained for, in tokens. Undefined if the file does not tell it. */
  readonly ownContext: number | undefined;
  /** The number of layers. 0 if it is not known. */
  readonly layerCount: number;
  /** Whether layers have experts, which can stay on the CPU. */
  readonly hasExperts: boolean;
  /** Whether llama-server can be started with the file: it is a model, or the first of its shards. */
  readonly isLoadable: boolean;
  /** Whether some layers see only a window of the context. */
  readonly hasWindow: boolean;
}

/** llama.cpp makes a context a multiple of this number of tokens long. */
export const CONTEXT_STEP = 256;

/** The longest context of the slider, for files that do not tell the context that the model was trained for. */
const USUAL_CONTEXT = 131_072;

/** The longest context of the slider. A file may state any length. */
const LONGEST_STEP = 2 ** 24;

/** The context in tokens until a person wants another one: that of a long conversation. */
const FIRST_CONTEXT = 8192;

/** The batch of llama.cpp: the most tokens of one call. */
const BATCH = 2048;

export function modelFacts(gguf: Gguf): ModelFacts {
  const { architecture, weights, caches = [] } = usualMemory(gguf);
  return {
    ownContext: statedContext(gguf, architecture),
    layerCount: weights?.layerBytes.length ?? 0,
    hasExperts: gguf.tensors.some(({ name }) => /\.ffn_(?:gate_up|gate|up|down)_(?:ch)?exps\b/.test(name)),
    isLoadable: isLoadable(gguf),
    hasWindow: caches.some(({ kind }) => kind === "sliding-window"),
  };
}

/** The kinds of files that llama-server loads only beside a model, or not at all. */
const OTHER_KINDS: readonly FileKind[] = ["adapter", "mmproj", "draft", "imatrix", "control-vector", "vocabulary"];

function isLoadable({ kind, classification: { shard } }: Gguf): boolean {
  return shard ? shard.number === 1 : !OTHER_KINDS.includes(kind);
}

function statedContext(gguf: Gguf, architecture: string): number | undefined {
  const stated = Number(gguf.metadata.get(`${architecture}.context_length`));
  return stated > 0 && stated <= MOST.context ? stated : undefined;
}

/** The contexts at which the slider stops: powers of two, the numbers half-way between them, and the model's own context. */
export function contextSteps({ ownContext = USUAL_CONTEXT }: ModelFacts): number[] {
  const longest = Math.max(CONTEXT_STEP, Math.min(ownContext, LONGEST_STEP));
  const steps = new Set([longest]);
  for (let step = 2 * CONTEXT_STEP; step <= longest; step *= 2) {
    steps.add(step);
    if (step >= 4096 && step * 1.5 <= longest) steps.add(step * 1.5);
  }
  return [...steps].sort((a, b) => a - b);
}

/** The position of the last step that is at most `context`. */
export function stepOf(steps: readonly number[], context: number): number {
  return Math.max(
    0,
    steps.findLastIndex((step) => step <= context),
  );
}

/**
 * The context for which a model is computed: the one that the person wants, and not more than the model was trained for, unless a person has
 * chosen more. Undefined if neither is known.
 */
export function contextOf(
  { context, isBeyond = false }: Machine,
  { ownContext }: Pick<ModelFacts, "ownContext">,
): number | undefined {
  if (ownContext === undefined) return context;
  const wanted = context ?? FIRST_CONTEXT;
  return isBeyond ? wanted : Math.min(wanted, ownContext);
}

/** Whether a context is longer than the one that the model was trained for. */
export function isBeyond(context: number | undefined, { ownContext }: Pick<ModelFacts, "ownContext">): boolean {
  return context !== undefined && ownContext !== undefined && context > ownContext;
}

/** How a model is loaded on a machine: the choices of the panel, with the context and the memory of the machine. */
export function loadState(choices: MemoryState, machine: Machine, facts: ModelFacts): MemoryState {
  const { cards, shared = false } = machine;
  const fitsCards = choices.split?.length === cards?.length;
  return {
    ...choices,
    context: contextOf(machine, facts),
    shared,
    layers: cards?.length === 0 ? 0 : choices.layers,
    split: (fitsCards ? choices.split : undefined) ?? usualSplit(machine),
  };
}

/** The number of layers that can be on the GPU: those of the model, and the output. */
export function mostGpuLayers({ layerCount }: Pick<ModelFacts, "layerCount">): number {
  return layerCount + 1;
}

/** The number of layers on the GPU. One memory for GPU and CPU holds all of them. */
export function gpuLayers(state: MemoryState, facts: ModelFacts): number {
  const most = mostGpuLayers(facts);
  return state.shared ? most : Math.min(state.layers ?? most, most);
}

/** The number of layers whose experts stay on the CPU. */
export function cpuExperts({ experts = DEFAULTS.experts, shared }: MemoryState, facts: ModelFacts): number {
  return facts.hasExperts && !shared ? Math.min(experts, facts.layerCount) : 0;
}

/** The number of tokens of a call: at least those that are computed at once. */
export function batchOf({ microBatch = DEFAULTS.microBatch }: MemoryState): number {
  return Math.max(BATCH, microBatch);
}

/** The options of `Gguf.memory` and `Gguf.largestContext`. */
export function memoryOptions(state: MemoryState, facts: ModelFacts): MemoryOptions {
  const contextLength = state.context ?? facts.ownContext;
  return {
    ...(contextLength === undefined ? {} : { contextLength }),
    keyType: state.keys ?? DEFAULTS.keys,
    valueType: state.values ?? DEFAULTS.values,
    sequences: state.sequences ?? DEFAULTS.sequences,
    unified: state.unified ?? false,
    flashAttention: !(state.noFlash ?? false),
    swaFull: state.fullWindow ?? false,
    batch: batchOf(state),
    microBatch: state.microBatch ?? DEFAULTS.microBatch,
    // Without a number, all layers are on the GPU.
    ...(facts.layerCount > 0 ? { gpuLayers: gpuLayers(state, facts) } : {}),
    cpuExperts: cpuExperts(state, facts),
    ...(state.split === undefined ? {} : { tensorSplit: state.split }),
  };
}
