/** The settings with which a model fits into a machine, the one that costs least first. */

import type { Gguf } from "gguf-wasm";
import { type DeviceMemory, deviceMemories, unknownParts } from "../../memory/devices.ts";
import type { MemoryState } from "../../memory/memory-state.ts";
import { memoryOptions, type ModelFacts, mostGpuLayers } from "../../memory/settings.ts";
import { Pieces } from "../../ui/in-pieces.ts";
import { formatCount, formatInteger } from "../../ui/numbers.ts";
import type { Machine } from "./machine.ts";

const GIB = 2 ** 30;

/** A way to load the model. */
export interface FitWay {
  /** What is done: "Everything on the GPU". */
  readonly title: string;
  /** What it costs: speed, or accuracy. */
  readonly cost: string;
  /** The settings, without the context. */
  readonly state: MemoryState;
  /** What it takes on each device. */
  readonly devices: readonly DeviceMemory[];
  readonly fits: boolean;
}

/** Narrow types of the cache, and what they cost. */
const NARROW_CACHES = [
  ["Q8_0", "hardly any accuracy"],
  ["Q4_0", "some accuracy in long contexts"],
] as const;

/**
 * The ways to load a model with a context on a machine. Undefined if a part of the memory is not known. The estimates are computed in pieces,
 * because there are many.
 * @throws the reason of `signal` once it is aborted
 */
export async function fitWays(
  gguf: Pick<Gguf, "memory">,
  facts: ModelFacts,
  machine: Machine,
  context: number | undefined,
  signal: AbortSignal,
): Promise<FitWay[] | undefined> {
  const pieces = new Pieces(signal);
  const base: MemoryState = { context, ...(machine.shared ? { shared: true } : {}) };
  const estimate = gguf.memory(memoryOptions(base, facts));
  if (unknownParts(estimate).some((part) => part !== "output")) return undefined;
  const way = async (title: string, cost: string, change: MemoryState): Promise<FitWay> => {
    await pieces.rest();
    const state = { ...base, ...change };
    const devices = devicesOf(gguf, facts, machine, state);
    return { title, cost, state, devices, fits: devices.every(({ total, capacity = 0 }) => total.high <= capacity) };
  };
  const all = machine.shared ? "Everything in the memory" : "Everything on the GPU";
  const ways: FitWay[] = [];
  const { layerCount } = facts;
  if (machine.gpu > 0) {
    ways.push(await way(all, "nothing", {}));
    // llama.cpp refuses these types if the length of a head is no multiple of their blocks.
    for (const [type, cost] of NARROW_CACHES)
      try {
        ways.push(await way(`${all}, KV cache type ${type}`, cost, { keys: type, values: type }));
      } catch (error) {
        if (signal.aborted) throw error;
      }
  }
  if (!machine.shared && machine.gpu > 0) await addPartial(ways, way, facts);
  if (!machine.shared && layerCount > 0)
    ways.push(await way("Everything on the CPU", "most of the speed", { layers: 0 }));
  return ways;
}

/** Adds the ways that leave as little as possible on the CPU: experts first, because they are used least, then layers. */
async function addPartial(
  ways: FitWay[],
  way: (title: string, cost: string, change: MemoryState) => Promise<FitWay>,
  facts: ModelFacts,
): Promise<void> {
  const { layerCount, hasExperts } = facts;
  if (hasExperts) {
    const experts = await least(layerCount, async (count) => (await way("", "", { experts: count })).fits);
    const title = `Experts of ${formatCount(experts ?? 0, "layer")} on the CPU`;
    if (experts) ways.push(await way(title, "some speed: the CPU computes these experts", { experts }));
  }
  if (layerCount === 0) return;
  const most = mostGpuLayers(facts);
  const onCpu = await least(most, async (count) => (await way("", "", { layers: most - count })).fits);
  if (!onCpu || onCpu === most) return;
  const layers = most - onCpu;
  const title = `${formatInteger(layers)} of ${formatCount(most, "layer")} on the GPU`;
  ways.push(await way(title, "speed: the CPU computes the other layers", { layers }));
}

/** The best way: the first one that fits. */
export function bestWay(ways: readonly FitWay[]): FitWay | undefined {
  return ways.find(({ fits }) => fits);
}

/** What a model takes on the devices of a machine. */
export function devicesOf(
  gguf: Pick<Gguf, "memory">,
  facts: ModelFacts,
  machine: Machine,
  state: MemoryState,
): DeviceMemory[] {
  const estimate = gguf.memory(memoryOptions(state, facts));
  const [gpu, cpu] = deviceMemories(estimate, machine.gpu * GIB, machine.shared);
  if (gpu === undefined) return [];
  return cpu === undefined ? [gpu] : [gpu, { ...cpu, capacity: machine.main * GIB }];
}

/** The least number from 0 to `most` for which `fits` holds. More always fit if fewer do. */
async function least(most: number, fits: (count: number) => Promise<boolean>): Promise<number | undefined> {
  if (!(await fits(most))) return undefined;
  let [tooFew, enough] = [-1, most];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (await fits(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
