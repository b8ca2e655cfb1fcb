/** What the card of a model says. */

import type { Gguf } from "gguf-wasm/explain";
import { bitsPerWeight, typeShares } from "../gguf/tensor-types.ts";
import { memoryOptions, modelFacts } from "../memory/settings.ts";
import { formatBinaryBytes, formatBytes, formatCount, formatInteger, formatParameters } from "../ui/numbers.ts";
import { architecture, modelName } from "../summary/facts.ts";
import { quantization } from "../summary/quantization.ts";

export interface CardFigure {
  readonly value: string;
  readonly label: string;
}

/** A type of tensors, with its share of the bytes, from 0 to 1. */
export interface CardType {
  readonly type: string;
  /** Undefined if the size of the type is not known. */
  readonly bits: number | undefined;
  readonly share: number;
}

export interface CardFacts {
  readonly title: string;
  /** The kind of the file, the architecture and the licence. */
  readonly line: string;
  readonly figures: readonly CardFigure[];
  /** What it takes to run it: a sentence. "" if it is not known. */
  readonly needs: string;
  /** The types with the most bytes. */
  readonly types: readonly CardType[];
}

/** The most types that a card names. */
const MOST_TYPES = 6;

/** The context in tokens for which a card says the memory: that of a long conversation. */
const CONTEXT = 8192;

/** The facts. `isLoaded` says whether llama.cpp loads such a file as a model of its own. */
export function cardFacts(gguf: Gguf, fileName: string, isLoaded: boolean): CardFacts {
  const { classification, metadata, tensors } = gguf;
  const licence = metadata.get("general.license");
  const kind = classification.title;
  const line = [kind, architecture(gguf), typeof licence === "string" ? licence : undefined]
    .filter((part) => part !== undefined && part !== "")
    .join(" · ");
  const figures: CardFigure[] = [];
  if (tensors.length > 0) figures.push({ value: formatParameters(gguf.parameterCount), label: "parameters" });
  const { value: declared } = quantization(gguf);
  if (declared !== undefined) figures.push({ value: declared, label: "quantization" });
  const bits = bitsPerWeight(tensors);
  if (bits !== undefined) figures.push({ value: bits.toFixed(2), label: "bits per weight" });
  const size = gguf.fileSize ?? gguf.requiredSize;
  if (size !== undefined) figures.push({ value: formatBytes(size), label: "file size" });
  const stated = Number(metadata.get(`${architecture(gguf) ?? ""}.context_length`));
  if (isLoaded && stated > 0) figures.push({ value: formatInteger(stated), label: "tokens of context" });
  const shares = typeShares(tensors);
  const all = shares.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    title: modelName(gguf, fileName || "Unnamed model"),
    line,
    figures,
    needs: isLoaded ? neededMemory(gguf, stated) : "",
    types: shares.slice(0, MOST_TYPES).map(({ type, bytes, elements }) => ({
      type,
      bits: bytes > 0 && elements > 0 ? (8 * bytes) / elements : undefined,
      share: all === 0 ? 0 : bytes / all,
    })),
  };
}

/** "Takes 5.6 GiB with a context of 8,192 tokens". */
function neededMemory(gguf: Gguf, trained: number): string {
  const context = trained > 0 ? Math.min(trained, CONTEXT) : CONTEXT;
  const { together, weights } = gguf.memory(memoryOptions({ context }, modelFacts(gguf)));
  if (weights === undefined || together.known.high === 0) return "";
  return `llama.cpp takes ${formatBinaryBytes(together.known.high)} of memory with a context of ${formatCount(context, "token")}`;
}
