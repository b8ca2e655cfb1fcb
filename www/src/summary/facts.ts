import type { Gguf, MetadataArray, MetadataValue, TensorInfo } from "gguf-wasm/explain";
import { formatBytes, formatCount, formatInteger, formatHex, formatParameters } from "../ui/numbers.ts";
import type { OpenCost, ShownHeader } from "../gguf/shown-file.ts";
import { bitsPerWeight } from "../gguf/tensor-types.ts";
import { arrivingFigures, arrivingFileFacts, CONTEXT, missingFact, MODEL_FACTS } from "./arriving-facts.ts";
import type { Fact } from "./fact.ts";
import { quantization } from "./quantization.ts";

/** The header of a file as it is stored. A `Gguf` is one. */
export type StoredHeader = ShownHeader & Pick<Gguf, "extent" | "requiredSize">;

/** A warning about the file that stands above all other facts. */
export interface Notice {
  title: string;
  text: string;
}

function text(value: MetadataValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function integer(value: MetadataValue | undefined): number | undefined {
  if (typeof value === "bigint") return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined;
  return typeof value === "number" ? value : undefined;
}

function arrayOf(value: MetadataValue | undefined): MetadataArray | undefined {
  return typeof value === "object" ? value : undefined;
}

/** A number that may differ from layer to layer: one number, or the range over all layers. */
function formatPerLayer(value: MetadataValue | undefined): string | undefined {
  const one = integer(value);
  if (one !== undefined) return formatInteger(one);
  const array = arrayOf(value);
  if (!array || array.length === 0) return undefined;
  const numbers = array
    .slice(0, 4096)
    .map((item) => integer(item))
    .filter((item) => item !== undefined);
  if (numbers.length === 0) return undefined;
  const least = Math.min(...numbers);
  const most = Math.max(...numbers);
  return least === most
    ? formatInteger(least)
    : `${formatInteger(least)}–${formatInteger(most)}, depending on the layer`;
}

export function architecture(gguf: ShownHeader): string | undefined {
  return text(gguf.metadata.get("general.architecture"));
}

/** The name of the model: `general.name`, or `fallback`. */
export function modelName(gguf: ShownHeader, fallback: string): string {
  return text(gguf.metadata.get("general.name")) ?? fallback;
}

/** The name of the elements of all tensors. The tensors of an importance matrix are statistics, so it has no parameters. */
export function elementsLabel({ classification }: ShownHeader): string {
  return classification?.kind === "imatrix" ? "Elements" : "Parameters";
}

/** The figures by which people compare models. */
export function headlineFacts(gguf: ShownHeader): Fact[] {
  if (gguf.arrival) return arrivingFigures(gguf, gguf.arrival, contextLength(gguf));
  const facts: Fact[] = [];
  const kind = gguf.classification?.kind;
  if (gguf.tensors.length > 0) {
    facts.push({
      label: kind === "shard" ? "Parameters in this shard" : elementsLabel(gguf),
      value: formatParameters(gguf.parameterCount),
      exact: formatInteger(gguf.parameterCount),
    });
  }
  if (gguf.fileSize !== undefined || gguf.unplanned) facts.push(positionFact("File size", gguf.fileSize, formatBytes));
  if (kind === "imatrix") return facts;
  const { value, ...exact } = quantization(gguf);
  if (value !== undefined) facts.push({ label: "Quantization", value, ...exact });
  const bits = bitsPerWeight(gguf.tensors);
  if (bits !== undefined) facts.push({ label: "Bits per weight", value: bits.toFixed(2), exact: String(bits) });
  const context = contextLength(gguf);
  if (context !== undefined) facts.push({ label: CONTEXT, value: context });
  return facts;
}

/** The context that the model was trained with. */
function contextLength(gguf: ShownHeader): string | undefined {
  const context = integer(gguf.metadata.get(`${architecture(gguf)}.context_length`));
  return context === undefined ? undefined : formatInteger(context);
}

/** The facts about the model in its metadata. */
export function modelFacts(gguf: ShownHeader): Fact[] {
  const facts: Fact[] = [];
  const { arrival } = gguf;
  const arch = architecture(gguf);
  const add = (label: string, value: string | undefined, exact?: string) => {
    if (value !== undefined) facts.push(exact === undefined ? { label, value } : { label, value, exact });
    else if (arrival && !arrival.hasAllMetadata && MODEL_FACTS.has(label)) facts.push(missingFact(label, arrival));
  };
  const of = (key: string) => gguf.metadata.get(`${arch}.${key}`);
  // The architecture of an importance matrix is "imatrix", which only repeats its kind.
  if (arch === undefined || arch !== gguf.classification?.kind) add("Architecture", arch);
  add("Blocks", formatPerLayer(of("block_count")));
  add("Embedding length", formatPerLayer(of("embedding_length")));
  add("Feed-forward", formatPerLayer(of("feed_forward_length")));
  const heads = formatPerLayer(of("attention.head_count"));
  const shared = formatPerLayer(of("attention.head_count_kv"));
  // "0–4 KV, depending on the layer".
  const kv = shared?.replace(/^[^ ]+?(?=, |$)/, "$& KV");
  add(
    "Attention heads",
    heads === undefined ? undefined : kv === undefined || shared === heads ? heads : `${heads} (${kv})`,
  );
  const experts = integer(of("expert_count"));
  const used = integer(of("expert_used_count"));
  if (experts)
    add("Experts", used ? `${formatInteger(experts)} (${formatInteger(used)} used)` : formatInteger(experts));
  const tokens = "tokenizer.ggml.tokens";
  const vocabulary =
    arrayOf(gguf.metadata.get(tokens))?.length ?? arrival?.arrayLength(tokens) ?? integer(of("vocab_size"));
  const tokenizer = text(gguf.metadata.get("tokenizer.ggml.model"));
  add(
    "Vocabulary",
    vocabulary === undefined ? undefined : formatInteger(vocabulary) + (tokenizer ? ` · ${tokenizer}` : ""),
  );
  add("Licence", text(gguf.metadata.get("general.license")));
  return facts;
}

/** The facts about the file, and the cost of reading its header. */
export function fileFacts(gguf: ShownHeader, cost?: OpenCost): Fact[] {
  if (gguf.arrival && !gguf.arrival.isWhole) return arrivingFileFacts(gguf, gguf.arrival);
  const facts: Fact[] = [
    gguf.format === undefined
      ? { label: "GGUF version", value: String(gguf.version) }
      : { label: "Format", value: gguf.format },
    { label: "Byte order", value: gguf.byteOrder },
    { label: "Alignment", value: formatCount(gguf.alignment, "byte") },
    { label: "Metadata", value: formatCount(gguf.entries.length, "entry", "entries") },
    { label: "Tensors", value: formatInteger(gguf.tensors.length) },
    positionFact("Header size", gguf.headerSize, formatBytes),
    positionFact("Data offset", gguf.dataOffset, formatHex),
  ];
  if (cost) facts.push({ label: "Bytes read", value: formatBytes(cost.bytes), exact: formatCount(cost.bytes, "byte") });
  if (cost?.requests !== undefined) facts.push({ label: "Requests made", value: formatInteger(cost.requests) });
  return facts;
}

function positionFact(label: string, at: number | undefined, words: (at: number) => string): Fact {
  return at === undefined ? { label, value: "unknown" } : { label, value: words(at), exact: formatCount(at, "byte") };
}

/** Whether the file ends before the data of its tensors. Such a file cannot be edited. */
export function isTruncated({ fileSize, requiredSize }: Pick<StoredHeader, "fileSize" | "requiredSize">): boolean {
  return fileSize !== undefined && (requiredSize ?? Infinity) > fileSize;
}

/** Whether a file of `fileSize` bytes has all data of a tensor. To ask the module takes 5 µs, and a broken file may have millions of tensors. */
function isComplete(tensor: TensorInfo, gguf: Pick<Gguf, "extent">, fileSize: number): boolean {
  const { fileOffset, byteLength } = tensor;
  // The offset of an empty tensor may be anywhere.
  if (byteLength === 0) return true;
  if (fileOffset === undefined || byteLength === undefined) return gguf.extent(tensor)?.isComplete ?? false;
  return fileOffset + byteLength <= fileSize;
}

/** The warnings about a file that could be opened. */
export function notices(gguf: StoredHeader): Notice[] {
  const found: Notice[] = [];
  const { fileSize = 0, requiredSize } = gguf;
  if (isTruncated(gguf) && requiredSize !== undefined) {
    const missing = gguf.tensors.filter((tensor) => !isComplete(tensor, gguf, fileSize)).length;
    found.push({
      title: "This file is incomplete.",
      text: `The file is ${formatBytes(requiredSize - fileSize)} shorter than the ${formatBytes(requiredSize)} that it needs, so ${formatCount(missing, "tensor")} ${missing === 1 ? "is" : "are"} incomplete. The header is complete. The usual causes are an interrupted download, and a missing part of a file that was cut into pieces.`,
    });
  }
  const unknown = gguf.tensors.filter((tensor) => tensor.byteLength === undefined).length;
  if (unknown > 0) {
    found.push({
      title: "Some tensor sizes are unknown.",
      text: `The size of ${formatCount(unknown, "tensor")} is unknown. The totals do not include ${unknown === 1 ? "it" : "them"}.`,
    });
  }
  return found;
}
