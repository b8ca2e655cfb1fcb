/** The facts of a header that has not arrived completely, or that the main module does not explain yet. */

import type { Arrival } from "../gguf/arrival.ts";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { bitsPerWeight } from "../gguf/tensor-types.ts";
import { formatBytes, formatCount, formatInteger, formatParameters } from "../ui/numbers.ts";
import type { Fact } from "./fact.ts";

/** The facts about a model that have a place before they are known. Most files have them. */
export const MODEL_FACTS: ReadonlySet<string> = new Set([
  "Architecture",
  "Blocks",
  "Embedding length",
  "Feed-forward",
  "Attention heads",
  "Vocabulary",
]);

/** The label of the context that a model was trained with. */
export const CONTEXT = "Context length";

/** The place of a fact that is not known. */
export function missingFact(label: string, { missing }: Arrival): Fact {
  return { label, value: missing, isMissing: true };
}

/** The figures by which people compare models. The name of the file declares some of them before the header does. */
export function arrivingFigures(
  { tensors, parameterCount, fileSize }: ShownHeader,
  arrival: Arrival,
  context: string | undefined,
): Fact[] {
  const { named, fileType, hasAllMetadata, hasAllTensors } = arrival;
  const facts: Fact[] = [];
  const exact = formatInteger(parameterCount);
  if (!hasAllTensors) facts.push(declared("Parameters", named.sizeLabel, arrival));
  else if (tensors.length > 0) facts.push({ label: "Parameters", value: formatParameters(parameterCount), exact });
  if (fileSize !== undefined)
    facts.push({ label: "File size", value: formatBytes(fileSize), exact: formatCount(fileSize, "byte") });
  else if (!arrival.isWhole) facts.push(missingFact("File size", arrival));
  if (fileType !== undefined) facts.push({ label: "Quantization", value: fileType });
  else if (!hasAllMetadata) facts.push(declared("Quantization", named.encoding, arrival));
  const bits = bitsPerWeight(tensors);
  if (!hasAllTensors) facts.push(missingFact("Bits per weight", arrival));
  else if (bits !== undefined) facts.push({ label: "Bits per weight", value: bits.toFixed(2), exact: String(bits) });
  if (context !== undefined) facts.push({ label: CONTEXT, value: context });
  else if (!hasAllMetadata) facts.push(missingFact(CONTEXT, arrival));
  return facts;
}

/** A fact that the name of the file declares. */
function declared(label: string, value: string | undefined, arrival: Arrival): Fact {
  if (value === undefined) return missingFact(label, arrival);
  const exact = "The name of the file declares it. The header is not read so far.";
  return { label: `${label} by name`, value, exact, isDeclared: true };
}

/** The facts about a file. */
export function arrivingFileFacts({ entries, tensors }: ShownHeader, arrival: Arrival): Fact[] {
  const count = (label: string, read: number, all: number | undefined, words: string): Fact =>
    all === undefined
      ? missingFact(label, arrival)
      : { label, value: `${formatInteger(read)} of ${formatInteger(all)}${words}` };
  const missing = (label: string) => missingFact(label, arrival);
  return [
    missing("GGUF version"),
    missing("Byte order"),
    missing("Alignment"),
    count("Metadata", entries.length, arrival.metadataCount, " entries"),
    count("Tensors", tensors.length, arrival.tensorCount, ""),
    missing("Header size"),
    missing("Data offset"),
  ];
}
