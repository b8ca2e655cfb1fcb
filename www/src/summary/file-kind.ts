/** What the summary says about the kind of a file, its name and its special tokens. */

import type { FileKind, FileName, MetadataValue, SpecialToken } from "gguf-wasm/explain";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { startedLibrary } from "../gguf/started-library.ts";
import { formatCount, formatFloat, formatId, formatInteger } from "../ui/numbers.ts";
import type { Fact } from "./fact.ts";

type Metadata = ShownHeader["metadata"];

/** The kinds of files whose family, blocks and parts are no entries of the metadata, or not in all files. */
const OF_OTHER_PROGRAMS: ReadonlySet<string> = new Set<FileKind>([
  "image-diffusion",
  "vae",
  "text-encoder",
  "clip",
  "text-to-speech",
  "speech-recognition",
]);

/** The most elements of an array that are listed in a fact. */
const MAX_LISTED = 8;

/** The facts that matter for a file of a kind: the datasets of an importance matrix, the base model of an adapter. */
export function kindFacts({ classification, metadata, ownFacts }: ShownHeader): Fact[] {
  if (ownFacts) return [...ownFacts];
  const facts: Fact[] = [];
  if (classification === undefined) return facts;
  const { kind, shard, modalities, family, variant, blocks, parts } = classification;
  const add = (label: string, value: string | undefined) => {
    if (value !== undefined && value !== "") facts.push({ label, value });
  };
  const fact = (label: string, key: string) => add(label, valueWords(metadata.get(key)));
  if (shard) {
    const count = formatInteger(shard.count);
    add("Shard", shard.number === undefined ? `one of ${count}` : `${formatId(shard.number)} of ${count}`);
    if (shard.tensorCount !== undefined) add("Tensors in all shards", formatInteger(shard.tensorCount));
    if (shard.setKind !== "unknown")
      add(
        "Kind of the set",
        startedLibrary()
          ?.fileKinds()
          .find(({ name }) => name === shard.setKind)?.title,
      );
  }
  if (OF_OTHER_PROGRAMS.has(kind)) {
    add("Family", family);
    add("Variant", variant);
    // A count in the metadata is among the facts of the model.
    const isKnown = metadata.has(`${String(metadata.get("general.architecture"))}.block_count`);
    if (blocks !== undefined && !isKnown) add("Blocks", formatInteger(blocks));
  }
  add("Parts", parts.join(", "));
  if (kind === "imatrix") {
    fact("Datasets", "imatrix.datasets");
    fact("Chunks", "imatrix.chunk_count");
    fact("Tokens in a chunk", "imatrix.chunk_size");
  }
  if (kind === "adapter") {
    fact("Adapter type", "adapter.type");
    add("Base model", firstWords(metadata, ["general.base_model.0.name", "general.base_model.0.repo_url"]));
    fact("Alpha", "adapter.lora.alpha");
  }
  if (modalities.length > 0) {
    add("Encoders", modalities.join(", "));
    fact("Projector", "clip.projector_type");
    fact("Vision projector", "clip.vision.projector_type");
    fact("Vision blocks", "clip.vision.block_count");
    fact("Image size", "clip.vision.image_size");
    fact("Audio projector", "clip.audio.projector_type");
    fact("Audio blocks", "clip.audio.block_count");
  }
  return facts;
}

function firstWords(metadata: Metadata, keys: readonly string[]): string | undefined {
  return keys.map((key) => valueWords(metadata.get(key))).find((words) => words !== undefined);
}

/** A value in one line: a text, a number, or the first elements of an array. */
export function valueWords(value: MetadataValue | undefined): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  if (typeof value === "bigint") return formatInteger(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? formatInteger(value) : formatFloat(value, 32);
  if (typeof value !== "object") return String(value);
  const listed = value.slice(0, MAX_LISTED).map((element) => valueWords(element) ?? "");
  const rest = value.length - listed.length;
  return rest > 0 ? `${listed.join(", ")} and ${formatCount(rest, "more", "more")}` : listed.join(", ");
}

/** The kinds of files that the naming convention, which is that of language models, has no names for. */
const NOT_NAMED = ["imatrix", "control-vector", "image-diffusion", "vae", "text-encoder", "clip", "speech-recognition"];

/** Whether the naming convention has names for files of this kind. */
export function isNamedByConvention({ classification }: ShownHeader): boolean {
  return classification === undefined || !NOT_NAMED.includes(classification.kind);
}

/**
 * The name that the metadata gives the file. Undefined if it does not name the model, and for a shard: all files of a set must
 * have the same name.
 */
export function suggestedName(header: ShownHeader): string | undefined {
  const isNamed = ["general.basename", "general.name"].some((key) => {
    const name = header.metadata.get(key);
    return typeof name === "string" && name.trim() !== "";
  });
  return isNamed && header.classification?.kind !== "shard" ? header.suggestFileName() : undefined;
}

/** The parts of the name of a file. */
export function nameFacts(name: FileName): Fact[] {
  const shard = name.shard && `${name.shard.number} of ${name.shard.count}`;
  return [
    ["Sidecar", name.sidecar],
    ["Base name", name.baseName],
    ["Size label", name.sizeLabel],
    ["Fine-tune", name.fineTune],
    ["Version", name.version],
    ["Encoding", name.encoding],
    ["Type", name.type],
    ["Shard", shard],
  ].flatMap(([label, value]) => (label === undefined || value === undefined ? [] : [{ label, value }]));
}

/** The special tokens: the role, the id and the text. */
export function tokenFacts(tokens: readonly SpecialToken[]): Fact[] {
  return tokens.map(({ role, id, text, key }) => ({
    label: role,
    value: text === undefined ? `${id} · not in the vocabulary` : `${id} · ${text}`,
    exact: key,
  }));
}
