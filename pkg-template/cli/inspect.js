// `gguf-wasm inspect`: what a file contains.

import { filePrograms, setPrograms } from "../common/programs.js";
import { keyInfo } from "../full/node.js";
import { CommandError } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { mapped, partsOf } from "./json.js";
import { openUnlessLegacy } from "./legacy-magic.js";
import { missingBytes } from "./missing-bytes.js";
import { print, printRaw } from "./output.js";
import { printJson } from "./result.js";
import { joined, safe } from "./safe-text.js";
import { setFindings, warnOfSet, withJoinedShards } from "./source.js";
import { nearest } from "./spelling.js";
import { list, table } from "./table.js";
import { counted, exactSize, grouped, shorten } from "./text.js";
import { quoted, scalarText, shortValue, typeOf } from "./values.js";

/** @import { GgufSet, Gguf, MetadataEntry, SpecialToken } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** The characters of a value in the table. */
const SHOWN_CHARACTERS = 80;

/** The characters of a key or a name in a table. */
const SHOWN_NAME = 200;

/** @param {Arguments} args */
export async function run(args) {
  const model = await openUnlessLegacy(args.at(0), args);
  // The code for files before GGUF is loaded only for them.
  if (!model) return (await import("./inspect-legacy.js")).run(args);
  const joined = args.flag("one-file") || model.set ? undefined : await withJoinedShards(model, args);
  return inspect(args, joined?.set ? joined : model);
}

/**
 * @param {Arguments} args
 * @param {OpenedModel} model
 */
async function inspect(args, model) {
  try {
    warnOfSet(model, args);
    const keys = args.texts("key");
    if (keys.length > 0) await printKeys(args, model, keys);
    else if (args.flag("json")) await printJson(describe(model));
    else await print(text(model, args.flag("tensors")));
    return DONE;
  } finally {
    await model.close();
  }
}

/**
 * Prints values whole.
 *
 * @param {Arguments} args
 * @param {OpenedModel} model
 * @param {readonly string[]} keys
 */
async function printKeys(args, model, keys) {
  const { name, gguf } = model;
  const entries = keys.map((key) => entryOf(name, gguf, key));
  if (!args.flag("json")) {
    for (const { value, type } of entries) {
      if (typeof value === "object") await printJson(value);
      else await printRaw(lineOf(scalarText(value, type)));
    }
    return;
  }
  const values = entries.map((entry) => ({ key: entry.key, type: typeOf(entry), value: entry.value }));
  await printJson({ file: name, ...(values.length === 1 ? values[0] : { metadata: values }), ...setFindings(model) });
}

/** @param {string} text */
function* lineOf(text) {
  yield* partsOf(text, 1 << 16);
  yield "\n";
}

/**
 * @param {string} name
 * @param {Gguf} gguf
 * @param {string} key
 */
function entryOf(name, gguf, key) {
  const entry = gguf.entries.find((entry) => entry.key === key);
  if (entry) return entry;
  const similar = nearest(
    key,
    gguf.entries.map(({ key }) => key),
  );
  const advice =
    similar === undefined ? "`gguf-wasm inspect` without --key lists the keys." : `Did you mean ${quoted(similar)}?`;
  throw new CommandError("unknown-key", `${name}: the file has no entry with the key ${quoted(key)}. ${advice}`);
}

/**
 * All that a program may want to know.
 *
 * @param {OpenedModel} model
 */
function describe(model) {
  const { name, gguf, set, container } = model;
  const { kind, family, variant, blocks, parts } = gguf.classification;
  return {
    file: name,
    ...(container && { container }),
    kind,
    family,
    variant,
    blocks,
    parts,
    programs: programsOf(model)?.programs,
    version: gguf.version,
    byteOrder: gguf.byteOrder,
    fileSize: (set ?? gguf).fileSize,
    headerSize: gguf.headerSize,
    dataOffset: gguf.dataOffset,
    alignment: gguf.alignment,
    parameterCount: gguf.parameterCount,
    name: gguf.name,
    architecture: gguf.architecture,
    fileType: gguf.fileType,
    bitsPerWeight: gguf.bitsPerWeight,
    contextLength: gguf.contextLength,
    dataComplete: isDataComplete(gguf, set),
    ...(set && { shards: set.shards.map(describeShard) }),
    ...setFindings(model),
    specialTokens: gguf.specialTokens(),
    metadata: mapped(gguf.entries, (entry) => ({
      key: entry.key,
      type: typeOf(entry),
      value: entry.value,
      offset: entry.offset,
      byteLength: entry.byteLength,
    })),
    tensors: mapped(tensorsOf(gguf, set), ({ name, type, typeOwner, dimensions, byteLength, fileOffset, shard }) => {
      return { name, type, typeOwner, dimensions, byteLength, fileOffset, shard };
    }),
  };
}

/** @param {Pick<OpenedModel, "gguf" | "set">} model */
const programsOf = ({ gguf, set }) => (set ? setPrograms(gguf) : filePrograms(gguf));

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
 * @returns {readonly (import("../full/node.js").TensorInfo & { shard?: number })[]}
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
  const kind = gguf.classification;
  const owner = gguf.tensors.find(({ typeOwner }) => typeOwner !== undefined)?.typeOwner;
  const model = list([
    ["Architecture", gguf.architecture],
    ["Name", gguf.name && shorten(gguf.name, SHOWN_CHARACTERS)],
    ["Kind", kind.title],
    ["Variant", kind.variant],
    ["Parts", kind.parts.join(", ") || undefined],
    ["Size", exactSize((set ?? gguf).fileSize)],
    ["Context", gguf.contextLength === undefined ? undefined : counted(gguf.contextLength, "token")],
  ]);
  const file = list([
    ["File", name],
    ["Format", `GGUF version ${gguf.version}, ${gguf.byteOrder}`],
    ["Shards", set && (set.isComplete ? String(set.shards.length) : `${present} of ${set.shards.length}`)],
    ["Header", exactSize(gguf.headerSize)],
    // The shards of a set have data sections of their own.
    ["Data start", set ? undefined : `offset ${grouped(gguf.dataOffset)} (0x${gguf.dataOffset.toString(16)})`],
    ["Alignment", `${gguf.alignment} bytes`],
    ["Data", dataText(gguf, set)],
    ["Parameters", grouped(gguf.parameterCount)],
    ["Encoding", encodingText(gguf)],
    ["Tensors", tensorSummary(gguf)],
    ["Metadata", counted(gguf.entries.length, "entry").replace("entrys", "entries")],
  ]);
  const metadata = table(
    [{ title: "KEY", most: SHOWN_NAME }, { title: "TYPE" }, { title: "VALUE", most: SHOWN_CHARACTERS }],
    mapped(gguf.entries, (entry) => [entry.key, typeOf(entry, entry.length), valueText(entry, owner)]),
  );
  const programs = programsOf({ gguf, set });
  const parts = [...(programs ? [safe`${programs.sentence}\n`] : []), model, file];
  if (set && !set.isComplete) parts.push(missingShards(set));
  const tokens = gguf.specialTokens();
  if (tokens.length > 0) parts.push(specialTokens(tokens));
  if (gguf.entries.length > 0) parts.push(metadata);
  if (withTensors) parts.push(tensorTable(gguf, set));
  return joined(parts, "\n");
}

/** The tokens with a special role. @param {readonly SpecialToken[]} tokens */
function specialTokens(tokens) {
  return table(
    [{ title: "SPECIAL TOKEN" }, { title: "ID", right: true }, { title: "TEXT", most: SHOWN_CHARACTERS }],
    tokens.map(({ role, key, id, text }) => [
      `${role} (${keyInfo(key)?.title ?? key})`,
      id,
      text === undefined ? "not in the vocabulary" : quoted(shorten(text, SHOWN_CHARACTERS)),
    ]),
  );
}

/**
 * The value of an entry on one line, with the name that a number has: 15 (Q4_K_M).
 *
 * @param {MetadataEntry} entry
 * @param {string | undefined} owner The program that has tensor types of its own in the file. Its file types are not those of llama.cpp.
 */
function valueText({ key, type, value }, owner) {
  const text = shortValue(value, type);
  if (typeof value !== "number") return text;
  if (key === "general.file_type" && owner !== undefined) return `${text} (of ${owner})`;
  const name = keyInfo(key)?.values?.find((known) => known.value === value)?.name;
  return name === undefined ? text : `${text} (${name})`;
}

/** The encoding and the bits per weight, as far as they are known. @param {Gguf} gguf */
function encodingText({ fileType, bitsPerWeight, tensors }) {
  const bits = bitsPerWeight === undefined ? undefined : `${bitsPerWeight.toFixed(2)} bits per weight`;
  // A program with tensor types of its own has file types of its own.
  const isForeign = tensors.some(({ typeOwner }) => typeOwner !== undefined);
  const parts = [isForeign ? undefined : fileTypeText(fileType), bits].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}

/** @param {Gguf["fileType"]} fileType */
function fileTypeText({ name, declared, tensors }) {
  if (declared === undefined) return name && `${name}, by the types of the tensors`;
  if (tensors.length === 0 || tensors.some((type) => type === declared)) return declared;
  return `${declared}, but the types of the tensors are those of ${tensors.join(" or ")}`;
}

/**
 * The bytes that the file or the shards lack. A missing shard lacks an unknown number.
 *
 * @param {Gguf} gguf
 * @param {GgufSet | undefined} set
 */
function allMissingBytes(gguf, set) {
  if (!set) return missingBytes(gguf);
  let sum = 0;
  for (const shard of set.shards) {
    const missing = shard.gguf && missingBytes(shard.gguf);
    if (missing === undefined) return undefined;
    sum += missing;
  }
  return sum;
}

/**
 * Whether the data of all tensors is there; `undefined` if that is not known.
 *
 * @param {Gguf} gguf
 * @param {GgufSet | undefined} set
 */
function isDataComplete(gguf, set) {
  if (set && !set.isComplete) return false;
  const missing = allMissingBytes(gguf, set);
  return missing === undefined ? undefined : missing === 0;
}

/**
 * @param {Gguf} gguf
 * @param {GgufSet | undefined} set
 */
function dataText(gguf, set) {
  if (set && !set.isComplete) return "not complete: shards are missing";
  const missing = allMissingBytes(gguf, set);
  if (missing === undefined) return "not known whether it is complete";
  return missing === 0 ? "complete" : `not complete: ${exactSize(missing)} missing at the end`;
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
    { title: "TENSOR", most: SHOWN_NAME },
    { title: "TYPE" },
    { title: "DIMENSIONS" },
    { title: "BYTES", right: true },
    { title: "OFFSET", right: true },
  ];
  if (set) columns.push({ title: "SHARD", right: true });
  return table(
    columns,
    mapped(tensorsOf(gguf, set), ({ name, type, dimensions, byteLength, fileOffset, shard }) => [
      name,
      type,
      dimensions.join(" × "),
      byteLength ?? "?",
      fileOffset ?? "?",
      shard ?? "",
    ]),
  );
}
