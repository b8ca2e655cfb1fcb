// `gguf-wasm inspect` of a model in a format before GGUF.

import { UsageError } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { mapped } from "./json.js";
import { openLegacyModel, warnOfLegacy } from "./legacy-source.js";
import { print } from "./output.js";
import { printJson } from "./result.js";
import { joined, safe } from "./safe-text.js";
import { list, table } from "./table.js";
import { counted, exactSize, grouped } from "./text.js";
import { shortValue, typeOf } from "./values.js";

/** @import { LegacyModel } from "gguf-wasm/convert" */
/** @import { MetadataEntry } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedLegacy } from "./legacy-source.js" */

/** The characters of a value, and of a name, in a table. */
const SHOWN_CHARACTERS = 80;
const SHOWN_NAME = 200;

/** @param {Arguments} args */
export async function run(args) {
  if (args.texts("key").length > 0) {
    throw new UsageError("A model before GGUF has no keys. Leave out --key; --json prints all hyperparameters.");
  }
  const opened = await openLegacyModel(args.at(0), args);
  warnOfLegacy(opened, args);
  if (args.flag("json")) await printJson(describe(opened));
  else await print(text(opened, args.flag("tensors")));
  return DONE;
}

/** The entries are objects of another module, but have the same members. @param {LegacyModel} model */
const entriesOf = ({ gguf }) => /** @type {readonly MetadataEntry[]} */ (/** @type {unknown} */ (gguf.entries));

/**
 * The tensors in the names and types of the file, with the numbers of the types in the file. Tensors in several parts are joined, so they
 * have no offset in one file.
 *
 * @param {LegacyModel} model
 */
function tensorsOf({ gguf, parts }) {
  const isJoined = parts.length > 1;
  return gguf.tensors.map(({ name, type, dimensions, byteLength, fileOffset }, i) => {
    const typeId = parts[0]?.tensors[i]?.typeId;
    return { name, type, typeId, dimensions, byteLength, fileOffset: isJoined ? undefined : fileOffset };
  });
}

/** All that a program may want to know. @param {OpenedLegacy} opened */
function describe({ name, model }) {
  const { summary, parts, obstacles, gguf } = model;
  return {
    file: name,
    kind: "legacy",
    container: summary.container,
    version: summary.version,
    family: summary.family,
    alternatives: summary.alternatives,
    variant: summary.variant,
    blockRules: summary.blockRules,
    fileSize: parts.reduce((sum, { size }) => sum + size, 0),
    alignment: summary.alignment,
    parameterCount: gguf.parameterCount,
    fileType: summary.fileType,
    hyperparametersOffset: summary.hyperparametersOffset,
    vocabulary: summary.vocabulary,
    melFilters: summary.melFilters,
    partCount: model.partCount,
    parts,
    isMigratable: obstacles.length === 0,
    obstacles,
    questions: model.questions(),
    metadata: mapped(entriesOf(model), (entry) => ({ key: entry.key, type: typeOf(entry), value: entry.value })),
    tensors: tensorsOf(model),
  };
}

/**
 * @param {OpenedLegacy} opened
 * @param {boolean} withTensors
 */
function text({ name, model }, withTensors) {
  const { summary, parts, partCount, obstacles, gguf } = model;
  const { fileType, vocabulary } = summary;
  const facts = list([
    ["File", name],
    ["Kind", `Legacy model (${summary.family})`],
    ["Format", summary.version === undefined ? summary.container : `${summary.container} version ${summary.version}`],
    ["Variant", summary.variant],
    ["Size", exactSize(parts.reduce((sum, { size }) => sum + size, 0))],
    [
      "Parts",
      partCount > 1 || parts.length > 1 ? `${parts.length} of ${Math.max(partCount, parts.length)}` : undefined,
    ],
    ["Parameters", grouped(gguf.parameterCount)],
    ["Encoding", fileType && (fileType.name ?? `unknown (${fileType.value})`)],
    ["Blocks", `rules ${summary.blockRules}`],
    ["Vocabulary", vocabulary && `${counted(vocabulary.count, "token")}${vocabulary.hasScores ? "" : ", no scores"}`],
    ["Tensors", counted(gguf.tensors.length, "tensor")],
    ["Migration", obstacles.length === 0 ? "possible: gguf-wasm migrate" : "not possible"],
  ]);
  const sections = [facts];
  if (obstacles.length > 0) sections.push(joined(obstacles.map((obstacle) => safe`${obstacle}\n`)));
  sections.push(
    table(
      [{ title: "HYPERPARAMETER", most: SHOWN_NAME }, { title: "TYPE" }, { title: "VALUE", most: SHOWN_CHARACTERS }],
      mapped(entriesOf(model), (entry) => [
        entry.key,
        typeOf(entry, entry.length),
        shortValue(entry.value, entry.type),
      ]),
    ),
  );
  if (withTensors) sections.push(tensorTable(model));
  return joined(sections, "\n");
}

/** @param {LegacyModel} model */
function tensorTable(model) {
  return table(
    [
      { title: "TENSOR", most: SHOWN_NAME },
      { title: "TYPE" },
      { title: "DIMENSIONS" },
      { title: "BYTES", right: true },
      { title: "OFFSET", right: true },
    ],
    tensorsOf(model).map(({ name, type, dimensions, byteLength, fileOffset }) => [
      name,
      type,
      dimensions.join(" × "),
      byteLength ?? "?",
      fileOffset ?? "joined",
    ]),
  );
}
