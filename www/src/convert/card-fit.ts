import type { ConversionPlan } from "gguf-wasm/convert";
import { loadLibrary } from "../gguf/library.ts";
import { deviceMemories, unknownParts, type Verdict, worstVerdict } from "../memory/devices.ts";
import { type Machine, withoutGiven } from "../memory/machine.ts";
import type { MemoryState } from "../memory/memory-state.ts";
import { loadState, memoryOptions, modelFacts } from "../memory/settings.ts";

/** Whether the new file fits the machine. */
export interface CardFit extends Verdict {
  /** The context in tokens that the verdict counts. Undefined if it is not known. */
  readonly contextLength: number | undefined;
}

/** Whether the model of a plan fits the machine, with the settings of the memory panel. Undefined if llama.cpp refuses them. */
export async function cardFit(
  plan: Pick<ConversionPlan, "headerBytes">,
  settings: MemoryState,
  machine: Machine,
): Promise<CardFit | undefined> {
  const header = plan.headerBytes();
  const { Gguf } = await loadLibrary();
  const gguf = await Gguf.open(header);
  try {
    const facts = modelFacts(gguf);
    const estimate = gguf.memory(memoryOptions(loadState(withoutGiven(settings), machine, facts), facts));
    const verdict = worstVerdict(deviceMemories(estimate, machine), unknownParts(estimate));
    return verdict && { ...verdict, contextLength: estimate.contextLength };
  } catch {
    return undefined;
  } finally {
    gguf.free();
  }
}
