/** How long a context each of two models leaves on the card of the person. */

import type { Gguf } from "gguf-wasm/explain";
import { type Machine, readMachine, RESERVE } from "../memory/machine.ts";
import { modelFacts } from "../memory/settings.ts";
import { endMemory, memorySource } from "../worker/file-memory.ts";
import type { Side } from "./sides.ts";

const GIB = 2 ** 30;
/** Files with more tensors than any model has: a search would take minutes. */
const MOST_TENSORS = 50_000;

/** The contexts of both sides in tokens, with all layers on the card. */
export interface CardContexts {
  /** The card in words: "12 GB card". */
  readonly card: string;
  /** `none` if the model does not fit. Undefined if it is not known. */
  readonly a: number | "none" | undefined;
  readonly b: number | "none" | undefined;
}

/** The card that a person has chosen. Undefined until one is chosen, and for machines without a card. */
export function chosenCard(): Machine | undefined {
  const machine = readMachine();
  return machine && machine.gpu > 0 ? machine : undefined;
}

/**
 * The contexts of both sides on a card.
 * @throws the reason of `signal` once it is aborted
 */
export async function contextsOnCard(a: Side, b: Side, card: Machine, signal: AbortSignal): Promise<CardContexts> {
  const words = card.shared ? `${card.gpu} GB of shared memory` : `${card.gpu} GB card`;
  return {
    card: words,
    a: await contextOn(a, card, signal),
    b: await contextOn(b, card, signal),
  };
}

async function contextOn({ model, role }: Side, { gpu, shared }: Machine, signal: AbortSignal) {
  const { gguf } = model;
  if (gguf.tensors.length > MOST_TENSORS || !modelFacts(gguf).isLoadable) return undefined;
  try {
    const asked = { bytes: Math.max(0, gpu - RESERVE) * GIB, sharedMemory: shared };
    const [largest] = await memorySource(gguf, signal).largestContexts([asked]);
    const { ownContext } = modelFacts(gguf);
    // A longer context than the trained one is of no use.
    return largest === undefined ? whyNone(gguf) : Math.min(largest, ownContext ?? largest);
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    // The worker of the open file belongs to its panels.
    if (role === "other") endMemory(gguf);
  }
}

/** A model whose memory is not known has no context, too. */
function whyNone(gguf: Gguf): "none" | undefined {
  return gguf.memory().devices.every(({ total }) => total !== undefined) ? "none" : undefined;
}
