import type { TensorInfo } from "gguf-wasm/explain";
import type { FullGguf } from "../gguf/full.ts";
import { listingOriginals } from "gguf-wasm/common/originals.js";
import type { LegacyModel } from "gguf-wasm/convert";
import { familyTitle } from "../gguf/family-titles.ts";

/**
 * A legacy model as the panels show it: an object of the main module, which reads exact values of all tensors, with the tensors in the
 * names, types and places of the file.
 */
export function legacyView(exact: FullGguf, model: LegacyModel): FullGguf {
  const { summary, parts, gguf: stored } = model;
  const tensors = stored.tensors as readonly TensorInfo[];
  const fileSize = parts.reduce((sum, { size }) => sum + size, 0);
  const format = summary.version === undefined ? summary.container : `${summary.container} version ${summary.version}`;
  // The shares of a tensor of several parts lie in several files.
  const originals = tensors.map(({ type, byteLength, fileOffset }) => ({
    type,
    byteLength,
    fileOffset: parts.length > 1 ? undefined : fileOffset,
  }));
  const view = {
    tensors,
    tensor: (name: string) => tensors.find((tensor) => tensor.name === name),
    extent: (tensor: TensorInfo | string) => stored.extent(typeof tensor === "string" ? tensor : tensor.name),
    fileSize,
    requiredSize: fileSize,
    alignment: summary.alignment,
    headerSize: parts[0]?.tensorsOffset,
    dataOffset: tensors[0]?.fileOffset,
    format,
    ownFacts: facts(model),
    originals,
    ...listingOriginals(exact, originals),
    classification: {
      ...exact.classification,
      kind: "legacy",
      title: "Legacy model",
      description:
        "A model in a format before GGUF. llama.cpp can no longer read it. The panel Migrate makes a GGUF file of it. The checks and the comparison are for GGUF files: open the new file for them.",
      evidence: [],
    },
  };
  return Object.create(
    exact,
    Object.fromEntries(Object.entries(view).map(([name, value]) => [name, { value, enumerable: true }])),
  ) as FullGguf;
}

function facts({ summary, parts, partCount }: LegacyModel) {
  const { family, variant, blockRules, fileType, vocabulary } = summary;
  const type = fileType && (fileType.name ?? `unknown (${fileType.value})`);
  const found: [string, string | undefined][] = [
    ["Family", familyTitle(family)],
    ["Variant", variant],
    ["File type", type],
    ["Block rules", blockRules],
    [
      "Files",
      partCount > 1 || parts.length > 1 ? `${parts.length} of ${Math.max(partCount, parts.length)}` : undefined,
    ],
    ["Scores of tokens", vocabulary && (vocabulary.hasScores ? "yes" : "none in the file")],
  ];
  return found.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}
