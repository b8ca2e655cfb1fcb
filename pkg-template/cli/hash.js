// `gguf-wasm hash`: hashes of the data of tensors and of the file, and whether a manifest agrees.

import { readFile } from "node:fs/promises";
import { manifestAlgorithms } from "../node.js";
import { UsageError, aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { currentProgress } from "./output.js";
import { printResult } from "./result.js";
import { openFile } from "./source.js";
import { table } from "./table.js";
import { counted } from "./text.js";

/** @import { HashAlgorithm, Hashes, ManifestCheck } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedFile } from "./source.js" */

/** In the order of llama.cpp's manifests. @type {readonly HashAlgorithm[]} */
const ALGORITHMS = ["xxh64", "sha1", "sha256", "uuid"];

/** @param {Arguments} args */
export async function run(args) {
  const path = args.text("check");
  const chosen = ALGORITHMS.filter((algorithm) => args.flag(algorithm) || (args.flag("all") && algorithm !== "uuid"));
  if (path !== undefined && chosen.length > 1) {
    throw new UsageError(
      "--check compares one algorithm. Give one, or none: the strongest of the manifest is then compared.",
    );
  }
  const manifest = path === undefined ? undefined : await aboutFile(path, () => readFile(path, "utf8"));
  const file = await openFile(args.at(0), args);
  try {
    return manifest === undefined
      ? await print(args, file, chosen)
      : await check(args, file, manifest, path ?? "", chosen);
  } finally {
    await file.close();
  }
}

/**
 * @param {OpenedFile} file
 * @param {Parameters<import("../node.js").Gguf["hash"]>[0]} options
 */
async function compute({ name, gguf }, options) {
  const progress = currentProgress(`Hashing ${name}`);
  try {
    const onProgress = (/** @type {{ bytesRead: number, totalBytes: number }} */ { bytesRead, totalBytes }) =>
      progress.update(bytesRead, totalBytes);
    return await aboutFile(name, () => gguf.hash({ ...options, onProgress }));
  } finally {
    progress.clear();
  }
}

/**
 * @param {Arguments} args
 * @param {OpenedFile} file
 * @param {readonly HashAlgorithm[]} chosen
 */
async function print(args, file, chosen) {
  const ofFile = args.flag("file");
  // As in llama.cpp, xxh64 if nothing else is asked for.
  const algorithms = chosen.length === 0 && !ofFile ? /** @type {const} */ (["xxh64"]) : chosen;
  const tensors = algorithms.length > 0 && !args.flag("no-tensors");
  const hashes = await compute(file, { algorithms, tensors, file: ofFile });
  const { data, fileSha256 } = hashes;
  printResult(args, { file: file.name, data, tensors: hashes.tensors, fileSha256 }, () =>
    text(file, algorithms, hashes),
  );
  return DONE;
}

/**
 * llama.cpp's manifest, and the hash of the whole file as `sha256sum` prints it.
 *
 * @param {OpenedFile} file
 * @param {readonly HashAlgorithm[]} algorithms
 * @param {Hashes} hashes
 */
function text({ name, path, fileName }, algorithms, hashes) {
  // A URL would be a strange name in a manifest.
  const shown = path === undefined ? fileName : name;
  const manifest = algorithms.length > 0 ? hashes.manifest(shown) : "";
  return manifest + (hashes.fileSha256 === undefined ? "" : `${hashes.fileSha256}  ${shown}\n`);
}

/**
 * @param {Arguments} args
 * @param {OpenedFile} file
 * @param {string} manifest
 * @param {string} path The path of the manifest.
 * @param {readonly HashAlgorithm[]} chosen
 */
async function check(args, file, manifest, path, chosen) {
  const [strongest] = await aboutFile(path, () => manifestAlgorithms(manifest));
  const algorithm = chosen[0] ?? strongest;
  const options = { algorithms: algorithm === undefined ? [] : [algorithm], tensors: !args.flag("no-tensors") };
  const hashes = await compute(file, options);
  const result = await aboutFile(path, () => hashes.check(manifest));
  printResult(args, { file: file.name, manifest: path, ...result }, () => checkText(file.name, result));
  return result.result === "match" ? DONE : ANSWER_IS_NO;
}

/**
 * @param {string} name
 * @param {ManifestCheck} check
 */
function checkText(name, { algorithm, result, lines, unlisted }) {
  const differences = lines.filter(({ result }) => result !== "match");
  const rows = differences.map(({ tensor, expected, actual, result }) => {
    const problem = result === "mismatch" ? `expected ${expected}, found ${actual ?? "nothing"}` : "not in the file";
    return [tensor ?? "(all data)", problem];
  });
  for (const tensor of unlisted) rows.push([tensor, "not in the manifest"]);
  const matches = counted(lines.length - differences.length, "hash").replace(/hashs$/, "hashes");
  const headline = {
    match: `${name}: intact, ${matches} of ${algorithm} agree`,
    mismatch: `${name}: DIFFERENT from the manifest, ${matches} of ${algorithm} agree`,
    "nothing-found": `${name}: the manifest has no hash of this file`,
  }[result];
  return `${headline}\n${table([{ title: "" }, { title: "" }], rows)}`;
}
