/** How long a context each of two models leaves on the machine of the person. */

import { largestContext } from "../memory/largest-context.ts";
import { type Machine, machineWords } from "../memory/machine.ts";
import { loadState, memoryOptions, modelFacts } from "../memory/settings.ts";
import { endMemory, memorySource } from "../worker/file-memory.ts";
import type { Side } from "./sides.ts";

/** The contexts of both sides in tokens, with all layers on the card. */
export interface CardContexts {
  /** The machine in words: "12 GB". */
  readonly card: string;
  /** `none` if the model does not fit. Undefined if it is not known. */
  readonly a: number | "none" | undefined;
  readonly b: number | "none" | undefined;
}

/** The machine, if it has a card. Undefined until its memory is chosen, too. */
export function chosenCard(machine: Machine): Machine | undefined {
  return machine.cards === undefined || machine.cards.length === 0 ? undefined : machine;
}

/**
 * The contexts of both sides on a machine.
 * @throws the reason of `signal` once it is aborted
 */
export async function contextsOnCard(a: Side, b: Side, machine: Machine, signal: AbortSignal): Promise<CardContexts> {
  return {
    card: `${machineWords(machine) ?? ""}${machine.shared ? " of shared memory" : ""}`,
    a: await contextOn(a, machine, signal),
    b: await contextOn(b, machine, signal),
  };
}

async function contextOn({ model, role }: Side, machine: Machine, signal: AbortSignal) {
  const { gguf } = model;
  const facts = modelFacts(gguf);
  if (!facts.isLoadable) return undefined;
  try {
    const options = memoryOptions(loadState({}, machine, facts), facts);
    const largest = await largestContext(gguf, memorySource(gguf, signal), options, machine, undefined);
    if (largest === undefined) return "none";
    // A longer context than the trained one is of no use.
    return typeof largest === "number" ? Math.min(largest, facts.ownContext ?? largest) : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    // The worker of the open file belongs to its panels.
    if (role === "other") endMemory(gguf);
  }
}
