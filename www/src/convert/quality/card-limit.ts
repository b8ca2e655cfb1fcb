import type { ConversionPlan } from "gguf-wasm/convert";
import { loadLibrary } from "../../gguf/library.ts";
import { deviceMemories, unknownParts } from "../../memory/devices.ts";
import type { MemoryState } from "../../memory/memory-state.ts";
import { cardBytes, memoryOptions, modelFacts } from "../../memory/settings.ts";
import { formatBinaryBytes } from "../../ui/numbers.ts";

/** The largest file that fits a card. */
export interface CardLimit {
  readonly title: string;
  /** The size of the file in bytes. */
  readonly bytes: number;
}

/**
 * The largest file that fits the card of the settings: its memory without what the model takes beside its weights. Undefined if that is
 * not known, or if a part of the model is not on the card.
 */
export async function cardLimit(
  plan: Pick<ConversionPlan, "headerBytes" | "size">,
  settings: MemoryState,
): Promise<CardLimit | undefined> {
  const header = plan.headerBytes();
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(header);
  try {
    const estimate = gguf.memory(memoryOptions(settings, modelFacts(gguf)));
    const capacity = cardBytes(settings);
    const [device] = deviceMemories(estimate, capacity, settings.shared ?? false);
    if (!device || unknownParts(estimate).length > 0) return undefined;
    // What stays on the CPU changes with the file, too.
    const beside = device.total.high - device.parts.weights.high;
    const share = device.parts.weights.high / Math.max(1, plan.size);
    if (share <= 0 || beside >= capacity) return undefined;
    return { title: formatBinaryBytes(capacity), bytes: (capacity - beside) / share };
  } catch {
    return undefined;
  } finally {
    gguf.free();
  }
}
