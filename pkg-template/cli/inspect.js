// `gguf-wasm inspect`: what a file contains.

import { CommandError } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { print, printRaw } from "./output.js";
import { jsonText, plainValue, printResult } from "./result.js";
import { openModel, warnOfSet } from "./source.js";
import { list, table } from "./table.js";
import { counted, exactSize, grouped } from "./text.js";
import { quoted, scalarText, shortValue, typeOf } from "./values.js";

/** @import { GgufSet, Gguf } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** The characters of a value in the table. */
const SHOWN_CHARACTERS = 80;

/** @param {Arguments} args */
export async function run(args) {
  const model = await openModel(args.at(0), args);
  try {
    warnOfSet(model);
    const key = args.text("key");
    if (key !== undefined) printKey(args, model, key);
    else printResult(args, describe(model), () => text(model, args.flag("tensors")));
    return DONE;
  } finally {
    await model.close();
  }
}

/**
 * Prints one value whole.
 *
 * @param {Arguments} args
 * @param {OpenedModel} model
 * @param {string} key
 */
function printKey(args, { name, gguf }, key) {
  const entry = gguf.entries.find((entry) => entry.key === key);
  if (!entry) {
    const advice = "`gguf-wasm inspect` without --key lists the keys.";
    throw new CommandError("unknown-key", `${name}: the file has no entry with the key ${quoted(key)}. ${advice}`);
  }
  const { value } = entry;
  if (args.flag("json")) {
    print(jsonText({ file: name, key, type: typeOf(entry), value: plainValue(value) }));
  } else if (typeof value !== "object") {
    printRaw(`${scalarText(value, entry.type)}\n`);
  } else {
    print(jsonText(plainValue(value)));
  }
}

/**
 * All that a program may want to know.
 *
 * @param {OpenedModel} model
 */
function describe({ name, gguf, set }) {
  return {
    file: name,
    kind: gguf.kind,
    version: gguf.version,
    byteOrder: gguf.byteOrder,
    fileSize: (set ?? gguf).fileSize,
    headerSize: gguf.headerSize,
    dataOffset: gguf.dataOffset,
    alignment: gguf.alignment,
    parameterCount: gguf.parameterCount,
    ...(set && { shards: set.shards.map(describeShard) }),
    metadata: gguf.entries.map((entry) => ({
      key: entry.key,
      type: typeOf(entry),
      value: plainValue(entry.value),
      offset: entry.offset,
      byteLength: entry.byteLength,
    })),
    tensors: tensorsOf(gguf, set).map(({ name, type, dimensions, byteLength, fileOffset, shard }) => {
      return { name, type, dimensions, byteLength, fileOffset, shard };
    }),
  };
}

/** @param {GgufSet["shards"][number]} shard */
function describeShard({ number, name, gguf, error }) {
  return {
    number,
    name,
    fileSize: gguf?.fileSize,
    tensorCount: gguf?.tensors.length,
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}

/**
 * The tensors, with the number of their shard if there are several.
 *
 * @param {Gguf} gguf
 * @param {GgufSet | undefined} set
 * @returns {readonly (import("../node.js").TensorInfo & { shard?: number })[]}
 */
function tensorsOf(gguf, set) {
  return set ? set.tensors : gguf.tensors;
}

/**
 * @param {OpenedModel} model
 * @param {boolean} withTensors
 */
function text({ name, gguf, set }, withTensors) {
  const present = set?.shards.filter(({ gguf }) => gguf).length;
  const summary = list([
    ["File", name],
    ["Kind", gguf.classification.title],
    ["Format", `GGUF version ${gguf.version}, ${gguf.byteOrder}`],
    ["Size", exactSize((set ?? gguf).fileSize)],
    ["Shards", set && (set.isComplete ? String(set.shards.length) : `${present} of ${set.shards.length}`)],
    ["Header", exactSize(gguf.headerSize)],
    ["Alignment", `${gguf.alignment} bytes`],
    ["Parameters", grouped(gguf.parameterCount)],
    ["Tensors", tensorSummary(gguf)],
    ["Metadata", counted(gguf.entries.length, "entry").replace("entrys", "entries")],
  ]);
  const metadata = table(
    [{ title: "KEY" }, { title: "TYPE" }, { title: "VALUE", most: SHOWN_CHARACTERS }],
    gguf.entries.map((entry) => [entry.key, typeOf(entry, entry.length), shortValue(entry.value, entry.type)]),
  );
  const parts = [summary];
  if (set && !set.isComplete) parts.push(missingShards(set));
  if (gguf.entries.length > 0) parts.push(metadata);
  if (withTensors) parts.push(tensorTable(gguf, set));
  return parts.join("\n");
}

/** @param {GgufSet} set */
function missingShards({ shards }) {
  const missing = shards.filter(({ gguf }) => !gguf);
  return table(
    [{ title: "SHARD", right: true }, { title: "NAME" }, { title: "PROBLEM" }],
    missing.map(({ number, name, error }) => [number, name, error?.message ?? "The file is missing."]),
  );
}

/** How many tensors of which type. @param {Gguf} gguf */
function tensorSummary({ tensors }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { type } of tensors) counts.set(type, (counts.get(type) ?? 0) + 1);
  const types = [...counts].sort(([, a], [, b]) => b - a).map(([type, count]) => `${grouped(count)} ${type}`);
  return types.length > 0 ? `${grouped(tensors.length)}: ${types.join(", ")}` : "none";
}

/**
 * @param {Gguf} gguf
 * @param {GgufSet | undefined} set
 */
function tensorTable(gguf, set) {
  const columns = [
    { title: "TENSOR" },
    { title: "TYPE" },
    { title: "DIMENSIONS" },
    { title: "BYTES", right: true },
    { title: "OFFSET", right: true },
  ];
  if (set) columns.push({ title: "SHARD", right: true });
  return table(
    columns,
    tensorsOf(gguf, set).map(({ name, type, dimensions, byteLength, fileOffset, shard }) => [
      name,
      type,
      dimensions.join(" × "),
      byteLength ?? "?",
      fileOffset ?? "?",
      shard ?? "",
    ]),
  );
}
