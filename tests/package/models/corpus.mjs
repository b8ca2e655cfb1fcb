// The recorded runs of convert_hf_to_gguf.py, and how their options are called in JavaScript.

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { json, pathOf, read } from "../corpus.mjs";

/** @import { ModelConversionOptions } from "gguf-wasm/models" */

/**
 * A run of the converter.
 *
 * @typedef {object} Run
 * @property {string} id
 * @property {string[]} args
 * @property {number} exit
 * @property {string | null} error
 * @property {{ size: number, sha256: string, kv: { key: string, value?: unknown }[], tensors: { name: string, type: string, dims: number[] }[] } | null} output
 *
 * A folder with a model.
 *
 * @typedef {object} Model
 * @property {string} folder Its path in the corpus.
 * @property {string} hf_class
 * @property {string} gguf_arch
 * @property {Record<string, number>} source_dtypes
 * @property {string | null} pre
 * @property {Run[]} runs
 */

/** @type {{ models: Model[], refused: (Run & Model & { accepted?: boolean })[], any_order: string[] }} */
export const INDEX = json("convert/index.json");

/** The runs whose output October's converter changed. @type {{ changed?: Run[] }} */
const { changed = [] } = json("convert-2026-10/changed/convert.json");
for (const old of (INDEX.models ?? []).flatMap(({ runs }) => runs)) {
  const output = changed.find(({ id }) => id === old.id)?.output;
  if (output) old.output = output;
}

/** Wrong inputs that the reference accepts, and this package refuses: see the README of the corpus. */
const REFUSED_HERE = [
  "tensor-missing",
  "shape-wrong-consistent",
  "no-weights",
  "offsets-overlap",
  "offsets-negative",
  "names-duplicate",
  "vocab-larger-than-config",
];

/** The inputs that are refused. */
export const REFUSED = (INDEX.refused ?? []).filter(
  ({ folder, accepted }) => !accepted || REFUSED_HERE.includes(basename(folder)),
);

/** The path of a folder. @param {string} folder */
export const folderOf = (folder) => pathOf(`convert/${folder}`);

/** A model by the name of its folder. @param {string} name @returns {Model} */
export function model(name) {
  const found = INDEX.models.find(({ folder }) => basename(folder) === name);
  if (!found) throw new Error(`the corpus has no model ${name}`);
  return found;
}

/** A run of a model. @param {Model} model @param {string} id @returns {Run & { output: NonNullable<Run["output"]> }} */
export function run(model, id) {
  const found = model.runs.find((run) => run.id === `${basename(model.folder)}.${id}`);
  if (!found?.output) throw new Error(`${model.folder} has no output of ${id}: ${model.runs.map(({ id }) => id)}`);
  return { ...found, output: found.output };
}

/** The models of October 2026. @type {{ models: Model[] }} */
export const OCTOBER = json("convert-2026-10/index.json");

/** A model of October 2026, by the name of its folder. @param {string} name @returns {Model} */
export function october(name) {
  const found = OCTOBER.models.find(({ folder }) => basename(folder) === name);
  if (!found) throw new Error(`the corpus of October 2026 has no model ${name}`);
  return found;
}

/** The paths of the files in a folder, in the folder. @param {string} folder */
export const pathsOf = (folder) => pathsIn(`convert/${folder}`);

/** The files in a folder, by their paths. @param {string} folder @returns {Record<string, Uint8Array<ArrayBuffer>>} */
export const filesOf = (folder) => filesIn(`convert/${folder}`);

/** The files of a model of October 2026, by their paths. @param {Model} model */
export const octoberFiles = ({ folder }) => filesIn(`convert-2026-10/${folder}`);

/** @param {string} folder The path of a folder in the corpus. */
function pathsIn(folder) {
  return readdirSync(pathOf(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(pathOf(folder).length + 1)
        .replaceAll("\\", "/"),
    );
}

/** @param {string} folder The path of a folder in the corpus. @returns {Record<string, Uint8Array<ArrayBuffer>>} */
const filesIn = (folder) => Object.fromEntries(pathsIn(folder).map((path) => [path, read(`${folder}/${path}`)]));

/** The value of an option of a command line. @param {readonly string[]} args @param {string} name */
const valueOf = (args, name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

/**
 * The options of a run, as `HubModel.convert` takes them.
 *
 * @param {{ args: readonly string[] }} run
 * @param {string | null} pre
 * @returns {ModelConversionOptions}
 */
export function optionsOf({ args }, pre) {
  const [type, modelName, metadata] = ["--outtype", "--model-name", "--metadata"].map((name) => valueOf(args, name));
  return {
    type: /** @type {ModelConversionOptions["type"]} */ (type),
    pre: pre ?? undefined,
    modelName,
    metadata: metadata && json(`convert/${metadata}`),
    fp8AsQ8: args.includes("--fp8-as-q8"),
    projector: args.includes("--mmproj"),
    vocabularyOnly: args.includes("--vocab-only"),
    fuseGateUpExperts: args.includes("--fuse-gate-up-exps"),
  };
}

/** @param {Uint8Array} bytes */
export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** All bytes of a plan. @param {{ stream(): AsyncIterable<Uint8Array> }} plan */
export async function bytesOf(plan) {
  const chunks = [];
  for await (const chunk of plan.stream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
