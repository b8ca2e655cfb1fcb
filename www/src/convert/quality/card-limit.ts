import type { ConversionPlan } from "gguf-wasm/convert";
import type { Gguf } from "gguf-wasm/explain";
import { loadLibrary } from "../../gguf/library.ts";
import { deviceMemories, unknownParts } from "../../memory/devices.ts";
import { formatSize, type Machine, machineWords, withoutGiven } from "../../memory/machine.ts";
import type { MemoryState } from "../../memory/memory-state.ts";
import { usableTogether } from "../../memory/room.ts";
import { loadState, memoryOptions, modelFacts } from "../../memory/settings.ts";

/** The largest file that fits the person's cards, or one of them. */
export interface CardLimit {
  /** "12 GB", "one 24 GB card", "24 + 12 GB". */
  readonly title: string;
  /** The size of the file in bytes. */
  readonly bytes: number;
}

/** The largest files that fit the cards of the machine. `plan` is that of a file of this model. */
export async function cardLimits(
  plan: Pick<ConversionPlan, "headerBytes" | "size">,
  settings: MemoryState,
  machine: Machine,
): Promise<CardLimit[]> {
  if (limitedMachines(machine).length === 0) return [];
  const header = plan.headerBytes();
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(header);
  try {
    return limitsOf(gguf, plan.size, settings, machine);
  } finally {
    gguf.free();
  }
}

/**
 * The largest files that fit the cards of the machine: those of each size of card alone, if there are several cards, and last that of all
 * cards together. A limit that is not known is left out. `gguf` is a file of the model, with `size` bytes.
 */
export function limitsOf(gguf: Gguf, size: number, settings: MemoryState, machine: Machine): CardLimit[] {
  return limitedMachines(machine).flatMap(([title, part]) => {
    const bytes = largestFile(gguf, size, settings, part);
    return bytes === undefined ? [] : [{ title, bytes }];
  });
}

/** The cards that could hold a model, each with its name: each size of card alone, the smallest first, and all of them together. */
export function limitedMachines(machine: Machine): (readonly [title: string, machine: Machine])[] {
  const { cards = [] } = machine;
  const title = machineWords(machine);
  if (title === undefined || cards.length === 0) return [];
  const sizes = cards.length === 1 ? [] : [...new Set(cards)].sort((a, b) => a - b);
  return [
    ...sizes.map((size) => [`one ${formatSize(size)} GB card`, { ...machine, cards: [size] }] as const),
    [title, machine],
  ];
}

/** What a model may take of the cards without what it takes beside its weights. Undefined if it is not known, or nothing is left. */
function largestFile(gguf: Gguf, size: number, settings: MemoryState, machine: Machine): number | undefined {
  try {
    const facts = modelFacts(gguf);
    const estimate = gguf.memory(memoryOptions(loadState(withoutGiven(settings), machine, facts), facts));
    if (unknownParts(estimate).length > 0) return undefined;
    // What stays on the CPU changes with the file, too.
    const cards = deviceMemories(estimate, machine).filter(({ name }) => name !== "CPU");
    const weights = cards.reduce((sum, { parts }) => sum + parts.weights.high, 0);
    const beside = cards.reduce((sum, { total }) => sum + total.high, 0) - weights;
    const room = usableTogether(machine) - beside;
    const share = weights / Math.max(1, size);
    return share <= 0 || room <= 0 ? undefined : room / share;
  } catch {
    // llama.cpp refuses the settings.
    return undefined;
  }
}
