import type { Gguf, MetadataArray, MetadataValue } from "gguf-wasm";
import { bytes, counted, grouped, hex, parameters } from "../ui/numbers.ts";
import type { OpenCost, ShownHeader } from "../gguf/shown-file.ts";
import { bitsPerWeight, dominantType, fileTypeName } from "../gguf/tensor-types.ts";

export interface Fact {
  label: string;
  value: string;
  /** The exact figure behind a rounded one. */
  exact?: string;
}

/** Something about the file that its reader should know before anything else. */
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

/** A count a layer may differ by: one number, or the range that the layers span. */
function perLayer(value: MetadataValue | undefined): string | undefined {
  const one = integer(value);
  if (one !== undefined) return grouped(one);
  const array = arrayOf(value);
  if (!array || array.length === 0) return undefined;
  const numbers = array
    .slice(0, 4096)
    .map((item) => integer(item))
    .filter((item) => item !== undefined);
  if (numbers.length === 0) return undefined;
  const least = Math.min(...numbers);
  const most = Math.max(...numbers);
  return least === most ? grouped(least) : `${grouped(least)}–${grouped(most)} by layer`;
}

export function architecture(gguf: ShownHeader): string | undefined {
  return text(gguf.metadata.get("general.architecture"));
}

/** What to call the model: its own name, else the file's. */
export function modelName(gguf: ShownHeader, fallback: string): string {
  return text(gguf.metadata.get("general.name")) ?? fallback;
}

/** The four figures that people compare models by. */
export function headline(gguf: ShownHeader): Fact[] {
  const facts: Fact[] = [];
  if (gguf.tensors.length > 0) {
    facts.push({ label: "Parameters", value: parameters(gguf.parameterCount), exact: grouped(gguf.parameterCount) });
  }
  if (gguf.fileSize !== undefined || gguf.unplanned) facts.push(position("File size", gguf.fileSize, bytes));
  const quantisation = fileTypeName(gguf.metadata.get("general.file_type")) ?? dominantType(gguf.tensors);
  if (quantisation !== undefined) facts.push({ label: "Quantisation", value: quantisation });
  const bits = bitsPerWeight(gguf.tensors);
  if (bits !== undefined) facts.push({ label: "Bits per weight", value: bits.toFixed(2), exact: String(bits) });
  return facts;
}

/** What the model is, as far as its metadata says. */
export function modelFacts(gguf: ShownHeader): Fact[] {
  const facts: Fact[] = [];
  const arch = architecture(gguf);
  const add = (label: string, value: string | undefined, exact?: string) => {
    if (value !== undefined) facts.push(exact === undefined ? { label, value } : { label, value, exact });
  };
  const of = (key: string) => gguf.metadata.get(`${arch}.${key}`);
  add("Architecture", arch);
  const context = integer(of("context_length"));
  add("Context length", context === undefined ? undefined : grouped(context));
  add("Blocks", perLayer(of("block_count")));
  add("Embedding length", perLayer(of("embedding_length")));
  add("Feed forward", perLayer(of("feed_forward_length")));
  const heads = perLayer(of("attention.head_count"));
  const shared = perLayer(of("attention.head_count_kv"));
  add(
    "Attention heads",
    heads === undefined ? undefined : shared === undefined || shared === heads ? heads : `${heads} (${shared} KV)`,
  );
  const experts = integer(of("expert_count"));
  const used = integer(of("expert_used_count"));
  if (experts) add("Experts", used ? `${grouped(experts)} (${grouped(used)} used)` : grouped(experts));
  const vocabulary = arrayOf(gguf.metadata.get("tokenizer.ggml.tokens"))?.length ?? integer(of("vocab_size"));
  const tokenizer = text(gguf.metadata.get("tokenizer.ggml.model"));
  if (vocabulary !== undefined) add("Vocabulary", grouped(vocabulary) + (tokenizer ? ` · ${tokenizer}` : ""));
  add("Licence", text(gguf.metadata.get("general.license")));
  const part = integer(gguf.metadata.get("split.no"));
  const parts = integer(gguf.metadata.get("split.count"));
  if (part !== undefined && parts !== undefined && parts > 1) add("Part", `${part + 1} of ${parts}`);
  return facts;
}

/** How the file is laid out, and what it took to find that out. */
export function fileFacts(gguf: ShownHeader, cost?: OpenCost): Fact[] {
  const facts: Fact[] = [
    { label: "GGUF version", value: String(gguf.version) },
    { label: "Byte order", value: gguf.byteOrder },
    { label: "Alignment", value: counted(gguf.alignment, "byte") },
    { label: "Metadata", value: counted(gguf.entries.length, "entry", "entries") },
    { label: "Tensors", value: grouped(gguf.tensors.length) },
    position("Header size", gguf.headerSize, bytes),
    position("Data offset", gguf.dataOffset, hex),
  ];
  if (cost) facts.push({ label: "Bytes read", value: bytes(cost.bytes), exact: counted(cost.bytes, "byte") });
  if (cost?.requests !== undefined) facts.push({ label: "Requests made", value: grouped(cost.requests) });
  return facts;
}

function position(label: string, at: number | undefined, words: (at: number) => string): Fact {
  return at === undefined ? { label, value: "not known" } : { label, value: words(at), exact: counted(at, "byte") };
}

/** Whether a file ends before its tensors' data does, and so cannot be edited. */
export function isCutOff({ fileSize, requiredSize }: Pick<Gguf, "fileSize" | "requiredSize">): boolean {
  return fileSize !== undefined && (requiredSize ?? Infinity) > fileSize;
}

/** What is wrong with, or unusual about, a file that could be opened. */
export function notices(gguf: Gguf): Notice[] {
  const found: Notice[] = [];
  const { fileSize = 0, requiredSize } = gguf;
  if (isCutOff(gguf) && requiredSize !== undefined) {
    const missing = gguf.tensors.filter((tensor) => !gguf.extent(tensor)?.isComplete).length;
    found.push({
      title: "This file is incomplete.",
      text: `Its header is whole, but the file ends ${bytes(requiredSize - fileSize)} before the end of its tensors, at ${bytes(requiredSize)}: ${counted(missing, "tensor")} ${missing === 1 ? "is" : "are"} not complete. An interrupted download is the usual reason.`,
    });
  }
  const unknown = gguf.tensors.filter((tensor) => tensor.byteLength === undefined).length;
  if (unknown > 0) {
    found.push({
      title: "Some tensor types are unknown.",
      text: `The size of ${counted(unknown, "tensor")} cannot be computed; totals leave them out.`,
    });
  }
  return found;
}
