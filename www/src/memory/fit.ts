/** Settings with which a model fits into the memory of a machine, as the package finds them, and what they cost in words. */

import type { FitOptions, MemoryChoice, MemoryEstimate, MemoryFit } from "gguf-wasm/explain";
import { failureOf } from "../gguf/failure.ts";
import { formatCount, formatInteger, formatPercent } from "../ui/numbers.ts";
import type { MemorySource } from "../worker/memory-source.ts";
import { type DeviceMemory, deviceMemories } from "./devices.ts";
import { type Machine, USUAL_MAIN } from "./machine.ts";
import { CACHE_TYPES, type MemoryState, withoutDefaults } from "./memory-state.ts";
import { usableBytes } from "./room.ts";
import { loadState, memoryOptions, type ModelFacts, mostGpuLayers } from "./settings.ts";

/** The types of the cache that are tried if none of the usual ones fits. */
const NARROW_TYPES = ["Q4_0"];

/** What a type of the cache costs. */
const LOSSES = {
  none: "",
  small: "hardly any accuracy",
  medium: "some accuracy in long contexts",
  large: "much accuracy in long contexts",
} as const satisfies Record<MemoryChoice["cacheLoss"], string>;

/** A machine with the main memory that a person has chosen, or the usual one. */
type Room = Machine & { readonly main: number };

/** A way to load the model that fits. */
export interface FitWay {
  /** What is done: "Everything on the GPU". */
  readonly title: string;
  /** What it costs: speed, accuracy, or the length of the context. */
  readonly cost: string;
  readonly state: MemoryState;
  /** What it takes on each device. */
  readonly devices: readonly DeviceMemory[];
  /** Whether this way costs no speed, accuracy or context that the machine could offer. */
  readonly isFree: boolean;
  /** Whether the context is the one that was asked for. */
  readonly hasContext: boolean;
  /** The longest context that fits in this way, in tokens. */
  readonly longest: number;
  /** The bytes that are read for each token, on the GPU and on the CPU. Undefined if not known. */
  readonly bytesPerToken: readonly [number, number] | undefined;
}

export interface Fit {
  /** The best one first. Ways with a shorter context than the one that was asked for are last. */
  readonly ways: readonly FitWay[];
  /** If no way has the context that was asked for: the bytes that are missing. */
  readonly missing: number | undefined;
}

type FitSource = Pick<MemorySource, "fit" | "memory" | "largestContexts">;

/**
 * The ways to load a model on a machine. `choices` has the settings that stay, and `beside` are the estimates of files that are loaded beside
 * it. Undefined if it is not known what the model takes.
 */
export async function findFit(
  source: FitSource,
  facts: ModelFacts,
  machine: Machine,
  choices: MemoryState = {},
  beside: readonly MemoryEstimate[] = [],
): Promise<Fit | undefined> {
  const room = { ...machine, main: machine.main ?? USUAL_MAIN };
  const base = loadState({ ...choices, split: undefined }, room, facts);
  const options = { ...(await fitOptions(source, facts, room, base, beside)), beside };
  const usual = await source.fit(options);
  if (usual.fits === undefined) return undefined;
  const found = usual.fits ? usual : ((await fitOrRefusal(source, { ...options, cacheTypes: NARROW_TYPES })) ?? usual);
  const all = [...found.choices];
  const shorter = await shorterChoice(source, options, all[0]);
  if (shorter) all.push(shorter);
  const longest = await longestContexts(source, options, room, all);
  if (shorter) {
    const most = longest.at(-1) ?? shorter.longestContext;
    if (most > shorter.contextLength && most < (options.contextLength ?? 0)) {
      const asked = { ...(await fitOptions(source, facts, room, { ...base, context: most }, beside)), beside };
      all[all.length - 1] = await sameWithContext(source, asked, shorter);
    }
  }
  return {
    ways: all.map((choice, at) => ({
      ...fitWay(choice, facts, room, base, options.contextLength),
      longest: longest[at] ?? choice.longestContext,
    })),
    missing: found.missingBytes,
  };
}

/**
 * The longest contexts of choices in a shared memory, where the part of the CPU grows with the context, too. Elsewhere the choices tell them
 * themselves: empty.
 */
async function longestContexts(
  source: FitSource,
  options: FitOptions,
  { shared, cards: [size] = [] }: Machine,
  choices: readonly MemoryChoice[],
): Promise<readonly (number | undefined)[]> {
  if (!shared || size === undefined) return [];
  const settings: Partial<FitOptions> = { ...options };
  for (const own of ["gpuBytes", "machineBytes", "contextLength"] as const) delete settings[own];
  return source.largestContexts(
    choices.map(({ keyType, valueType }) => ({
      ...settings,
      keyType,
      valueType,
      bytes: usableBytes(size),
      sharedMemory: true,
    })),
  );
}

/** The best choice with a shorter context. Undefined unless it leaves nothing to the CPU, or nothing fits with the wanted context. */
async function shorterChoice(
  source: FitSource,
  options: FitOptions,
  best: MemoryChoice | undefined,
): Promise<MemoryChoice | undefined> {
  const { contextLength } = options;
  if (contextLength === undefined || best?.cpuShare === 0) return undefined;
  const free = { ...options };
  delete free.contextLength;
  const [choice] = (await source.fit(free)).choices;
  if (choice === undefined || choice.contextLength >= contextLength) return undefined;
  return best === undefined || choice.cpuShare === 0 ? choice : undefined;
}

/** The choice with exactly the context of `options`: those that the package shortens are round numbers. */
async function sameWithContext(source: FitSource, options: FitOptions, choice: MemoryChoice): Promise<MemoryChoice> {
  const { choices } = await source.fit(options);
  const members = ["gpuLayers", "cpuExperts", "keyType", "valueType"] as const;
  return choices.find((other) => members.every((member) => other[member] === choice[member])) ?? choice;
}

/**
 * Undefined if llama.cpp refuses the types of the cache, for example because the length of a head is not a multiple of their block size.
 */
async function fitOrRefusal(source: FitSource, options: FitOptions): Promise<MemoryFit | undefined> {
  try {
    return await source.fit(options);
  } catch (error) {
    if (failureOf(error).code !== "invalid-argument") throw error;
    return undefined;
  }
}

async function fitOptions(
  source: FitSource,
  facts: ModelFacts,
  { cards = [], main, shared }: Room,
  base: MemoryState,
  beside: readonly MemoryEstimate[],
): Promise<FitOptions> {
  const usable = cards.map(usableBytes);
  const [first = 0] = usable;
  const run: FitOptions = { ...memoryOptions(base, facts), gpuBytes: usable.length > 1 ? usable : first };
  // `fit` keeps settings that are given. These are left out, so that it chooses them.
  for (const own of ["keyType", "valueType", "gpuLayers", "cpuExperts", "tensorSplit"] as const) delete run[own];
  if (!shared) return { ...run, machineBytes: usableBytes(main) };
  // In a shared memory, leaving more to the CPU saves nothing. So the part that llama.cpp always keeps on the CPU is subtracted, and the
  // rest is for the GPU.
  const whole = memoryOptions({ ...base, layers: undefined, experts: undefined, shared }, facts);
  const { devices } = await source.memory({ ...whole, beside });
  const machineBytes = devices[1].known.high;
  return { ...run, gpuBytes: Math.max(0, first - machineBytes), machineBytes };
}

function fitWay(
  choice: MemoryChoice,
  facts: ModelFacts,
  room: Room,
  base: MemoryState,
  asked: number | undefined,
): FitWay {
  const { contextLength, longestContext, bytesPerToken } = choice;
  const hasContext = asked === undefined || contextLength >= asked;
  const cost = costWords(choice, hasContext);
  const [cpu, ...gpus] = [...(bytesPerToken ?? [])].reverse();
  return {
    title: titleOf(choice, facts, room, hasContext),
    cost: cost === "" ? "nothing" : cost,
    state: stateOf(choice, base),
    devices: deviceMemories(choice, room),
    isFree: hasContext && choice.cacheLoss === "none" && (choice.cpuShare === 0 || room.cards?.length === 0),
    hasContext,
    longest: longestContext,
    bytesPerToken: cpu === undefined ? undefined : [gpus.reduce((sum, bytes) => sum + bytes, 0), cpu],
  };
}

function titleOf(choice: MemoryChoice, facts: ModelFacts, { shared, cards = [] }: Room, hasContext: boolean): string {
  const { gpuLayers, allLayers, cpuExperts, keyType, contextLength } = choice;
  const words = [];
  const gpu = cards.length > 1 ? `${cards.length} cards` : "GPU";
  if (gpuLayers === 0) words.push("Everything on the CPU");
  else if (shared && allLayers) words.push("Everything in the memory");
  else if (allLayers && cpuExperts === 0) words.push(`Everything on the ${gpu}`);
  else if (!allLayers)
    words.push(`${formatInteger(gpuLayers)} of ${formatCount(mostGpuLayers(facts), "layer")} on the ${gpu}`);
  if (cpuExperts > 0 && gpuLayers > 0) {
    const experts = `experts of ${formatCount(cpuExperts, "layer")} on the CPU`;
    words.push(allLayers ? `E${experts.slice(1)}` : experts);
  }
  if (keyType !== "F16") words.push(`KV cache type ${keyType}`);
  if (!hasContext) words.push(`a context of ${formatCount(contextLength, "token")}`);
  return words.join(", ");
}

function costWords({ cpuShare, cacheLoss, gpuLayers }: MemoryChoice, hasContext: boolean): string {
  const speed =
    gpuLayers === 0
      ? "most of the speed: the CPU computes everything"
      : cpuShare > 0
        ? `speed: the CPU computes ${formatPercent(cpuShare, 1)} of the weights`
        : "";
  return [speed, LOSSES[cacheLoss], hasContext ? "" : "a shorter context"].filter((word) => word !== "").join("; ");
}

function stateOf(choice: MemoryChoice, base: MemoryState): MemoryState {
  const { contextLength, keyType, valueType, gpuLayers, allLayers, cpuExperts, tensorSplit } = choice;
  return withoutDefaults({
    ...base,
    context: contextLength,
    keys: CACHE_TYPES.find((type) => type === keyType),
    values: CACHE_TYPES.find((type) => type === valueType),
    layers: allLayers ? undefined : gpuLayers,
    experts: cpuExperts,
    split: tensorSplit,
  });
}
