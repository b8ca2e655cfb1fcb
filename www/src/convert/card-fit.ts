import type { ConversionPlan } from "gguf-wasm/convert";
import { loadLibrary } from "../gguf/library.ts";
import { deviceMemories, unknownParts, type Verdict, verdictOf } from "../memory/devices.ts";
import type { MemoryState } from "../memory/memory-state.ts";
import { cardBytes, memoryOptions, modelFacts } from "../memory/settings.ts";

/** Whether the new file fits a card. */
export interface CardFit extends Verdict {
  /** The context in tokens that the verdict counts. Undefined if it is not known. */
  readonly contextLength: number | undefined;
}

/** Whether the model of a plan fits the memory of a card, with the settings of the memory panel. Undefined if llama.cpp refuses them. */
export async function cardFit(
  plan: Pick<ConversionPlan, "headerBytes">,
  settings: MemoryState,
): Promise<CardFit | undefined> {
  const header = plan.headerBytes();
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(header);
  try {
    const estimate = gguf.memory(memoryOptions(settings, modelFacts(gguf)));
    const [device] = deviceMemories(estimate, cardBytes(settings), settings.shared ?? false);
    return device && { ...verdictOf(device, unknownParts(estimate)), contextLength: estimate.contextLength };
  } catch {
    return undefined;
  } finally {
    gguf.free();
  }
}
