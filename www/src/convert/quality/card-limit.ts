import type { ConversionPlan } from "gguf-wasm/convert";
import { loadLibrary } from "../../gguf/library.ts";
import { deviceMemories, unknownParts } from "../../memory/devices.ts";
import { type Machine, machineWords, withoutGiven } from "../../memory/machine.ts";
import type { MemoryState } from "../../memory/memory-state.ts";
import { usableTogether } from "../../memory/room.ts";
import { loadState, memoryOptions, modelFacts } from "../../memory/settings.ts";

/** The largest file that fits the person's cards. */
export interface CardLimit {
  readonly title: string;
  /** The size of the file in bytes. */
  readonly bytes: number;
}

/**
 * The largest file that fits the cards of the machine: what a model may take of them without what it takes beside its weights. Undefined if
 * that is not known, or if the machine has no cards.
 */
export async function cardLimit(
  plan: Pick<ConversionPlan, "headerBytes" | "size">,
  settings: MemoryState,
  machine: Machine,
): Promise<CardLimit | undefined> {
  const title = machineWords(machine);
  if (title === undefined || machine.cards?.length === 0) return undefined;
  const header = plan.headerBytes();
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(header);
  try {
    const facts = modelFacts(gguf);
    const estimate = gguf.memory(memoryOptions(loadState(withoutGiven(settings), machine, facts), facts));
    if (unknownParts(estimate).length > 0) return undefined;
    // What stays on the CPU changes with the file, too.
    const cards = deviceMemories(estimate, machine).filter(({ name }) => name !== "CPU");
    const weights = cards.reduce((sum, { parts }) => sum + parts.weights.high, 0);
    const beside = cards.reduce((sum, { total }) => sum + total.high, 0) - weights;
    const room = usableTogether(machine) - beside;
    const share = weights / Math.max(1, plan.size);
    return share <= 0 || room <= 0 ? undefined : { title, bytes: room / share };
  } catch {
    return undefined;
  } finally {
    gguf.free();
  }
}
