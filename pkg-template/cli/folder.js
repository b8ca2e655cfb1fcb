// The GGUF files that a folder stands for.

import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { rawPart } from "../common/raw-parts.js";
import { fileSource, Gguf, parseShardName } from "../full/node.js";
import { CommandError } from "./errors.js";
import { isFolder } from "./is-folder.js";
import { pathOf } from "./source.js";

/** @import { FileKind } from "../full/node.js" */
/** @import { Positional } from "./arguments.js" */

/** The kinds of files that lie beside a model. @type {readonly FileKind[]} */
const BESIDE_MODELS = ["draft", "adapter", "mmproj", "imatrix", "control-vector", "vocabulary"];

/** The most names that an error lists. */
const MOST_NAMES = 60;

/** Files that are not GGUF, and the command that makes a GGUF file of them. @type {readonly (readonly [RegExp, string])[]} */
const OTHER_LAYOUTS = [
  [
    /^adapter_config\.json$/,
    "It has a LoRA adapter: `gguf-wasm convert-lora FOLDER OUT --base MODEL` makes a GGUF file of it.",
  ],
  [
    /^config\.json$|\.safetensors$|\.safetensors\.index\.json$/,
    "It has a model in the layout of Hugging Face: `gguf-wasm convert FOLDER OUT` makes a GGUF file of it.",
  ],
];

/**
 * The paths of the files that a folder stands for.
 *
 * @param {string} name The folder as the user gave it.
 * @param {NonNullable<Positional["folder"]>} wanted
 * @returns {Promise<string[]>} At least one. Of a set of shards, the first one.
 */
export async function filesOfFolder(name, wanted) {
  const files = modelsIn(name);
  if (files.length === 0) throw noFiles(name);
  if (wanted === "files") return files.map(({ path }) => path);
  const models = files.length === 1 ? files : await withoutCompanions(files);
  const [model] = models;
  if (model && models.length === 1) {
    if (wanted === "model" || model.shards.length === 1) return [model.path];
    throw several(name, `${model.shards.length} GGUF files`, model.shards);
  }
  const choices = models.length > 0 ? models : files;
  throw several(
    name,
    `${choices.length} models`,
    choices.map(({ path }) => path),
  );
}

/**
 * The GGUF files of a folder, sorted by name. The shards of a set are one item, and so are the raw parts of a file.
 *
 * @param {string} name
 * @returns {{ path: string, shards: string[] }[]} `path` is the file, or the first shard that is there.
 */
export function modelsIn(name) {
  const folder = pathOf(name);
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const file of readdirSync(folder).sort()) {
    const path = join(folder, file);
    const part = rawPart(file);
    if (!(part || /\.gguf$/i.test(file)) || file.startsWith(".") || isFolder(path)) continue;
    const shard = parseShardName(file);
    const group = part?.set ?? (shard === undefined ? file : `${shard.prefix}\0${shard.count}`);
    groups.set(group, [...(groups.get(group) ?? []), path]);
  }
  return [...groups.values()].flatMap((shards) => (shards[0] === undefined ? [] : [{ path: shards[0], shards }]));
}

/**
 * The files without projectors, adapters and the like. A file that cannot be read is kept, because it may be a model.
 *
 * @param {readonly { path: string, shards: string[] }[]} files
 */
async function withoutCompanions(files) {
  const models = [];
  for (const file of files) if (!(await liesBesideModels(file.path))) models.push(file);
  return models;
}

/** @param {string} path */
async function liesBesideModels(path) {
  try {
    const source = await fileSource(path);
    try {
      return BESIDE_MODELS.includes((await Gguf.open(source)).kind);
    } finally {
      await source.close();
    }
  } catch {
    return false;
  }
}

/**
 * @param {string} name
 * @param {string} count
 * @param {readonly string[]} paths
 */
function several(name, count, paths) {
  const names = paths.slice(0, MOST_NAMES).map((path) => basename(path));
  const more = paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : "";
  return new CommandError(
    "EISDIR",
    `${name}: it has ${count} (${names.join(", ")}${more}), and it is a folder. Give the path of a file.`,
  );
}

/** @param {string} name */
function noFiles(name) {
  const folder = pathOf(name);
  const files = readdirSync(folder);
  const layout = OTHER_LAYOUTS.find(([pattern]) => files.some((file) => pattern.test(file)))?.[1].replace(
    "FOLDER",
    name,
  );
  const inner = files.filter((file) => isFolder(join(folder, file)) && modelsIn(join(folder, file)).length > 0);
  const below = inner.length === 0 ? undefined : `Folders in it have some: ${inner.slice(0, MOST_NAMES).join(", ")}.`;
  const advice = layout ?? below ?? "Give the path of a file.";
  return new CommandError("no-gguf-files", `${name}: the folder has no GGUF file. ${advice}`);
}
