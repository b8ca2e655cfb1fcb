// `gguf-wasm hash`: hashes of the data of tensors and of the file, and whether a manifest agrees.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { manifestAlgorithms } from "../full/node.js";
import { CommandError, UsageError, aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { serverOf } from "./hub.js";
import { currentProgress } from "./output.js";
import { printRawResult, printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { openFile, requireRanges } from "./source.js";
import { table } from "./table.js";
import { counted, size } from "./text.js";

/** @import { HashAlgorithm, Hashes, ManifestCheck } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedFile } from "./source.js" */

/** In the order of llama.cpp's manifests. @type {readonly HashAlgorithm[]} */
const ALGORITHMS = ["xxh64", "sha1", "sha256", "uuid"];

/** The most bytes of a manifest: half of what a text can have in JavaScript. A larger file is probably another one, such as the model. */
const MANIFEST_BYTES = 256 << 20;

/** @param {Arguments} args */
export async function run(args) {
  const path = args.text("check");
  const chosen = ALGORITHMS.filter((algorithm) => args.flag(algorithm) || (args.flag("all") && algorithm !== "uuid"));
  if (path !== undefined && chosen.length > 1) {
    throw new UsageError(
      "--check compares one algorithm. Give one, or none: the strongest of the manifest is then compared.",
    );
  }
  if (path !== undefined && args.flag("file")) {
    throw new UsageError(
      "--check compares the data of tensors, so --file cannot be given with it. Leave out one of them.",
    );
  }
  if (path === "-" && args.at(0) === "-") {
    throw new UsageError("The manifest is the standard input, so the file must be a path or a URL.");
  }
  const manifest = path === undefined ? undefined : await aboutFile(path, () => readManifest(path));
  const file = await openFile(args.at(0), args);
  try {
    requireRanges(file);
    return manifest === undefined
      ? await print(args, file, chosen)
      : await check(args, file, manifest, path ?? "", chosen);
  } finally {
    await file.close();
  }
}

/** @param {string} path `-` is the standard input. */
async function readManifest(path) {
  const tooLarge = () =>
    new CommandError(
      "too-large",
      `${path}: the manifest has more than ${size(MANIFEST_BYTES)}. Check the path: a manifest has a line for each tensor.`,
    );
  if (path !== "-" && (await stat(path)).size > MANIFEST_BYTES) throw tooLarge();
  const chunks = [];
  let bytes = 0;
  // The size of a pipe is not known before.
  for await (const chunk of path === "-" ? process.stdin : createReadStream(path)) {
    bytes += chunk.length;
    if (bytes > MANIFEST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * @param {OpenedFile} file
 * @param {Parameters<import("../full/node.js").Gguf["hash"]>[0]} options
 */
async function compute({ name, gguf }, options) {
  const progress = currentProgress(`Hashing ${name}`, serverOf(name));
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
  await printRawResult(args, { file: file.name, data, tensors: hashes.tensors, fileSha256 }, () =>
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
  const ofManifest = await aboutFile(path, () => manifestAlgorithms(manifest));
  const [algorithm = ofManifest[0]] = chosen;
  if (algorithm !== undefined && !ofManifest.includes(algorithm)) {
    const advice = `Give --${ofManifest[0]}, or no algorithm.`;
    throw new UsageError(`${path}: the manifest has no ${algorithm}, but ${ofManifest.join(", ")}. ${advice}`);
  }
  const options = { algorithms: algorithm === undefined ? [] : [algorithm], tensors: !args.flag("no-tensors") };
  const hashes = await compute(file, options);
  const result = await aboutFile(path, () => hashes.check(manifest));
  await printResult(args, { file: file.name, manifest: path, ...result }, () => checkText(file.name, result));
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
  // The hash of all data is one of these tensors, too.
  const isWhole = lines.some(({ tensor, result }) => tensor === undefined && result === "match");
  const unchecked = isWhole ? [] : unlisted;
  for (const tensor of unchecked) rows.push([tensor, "not in the manifest"]);
  const matches = counted(lines.length - differences.length, "hash").replace(/hashs$/, "hashes");
  const rest = unchecked.length === 1 ? "1 tensor is" : `${counted(unchecked.length, "tensor")} are`;
  const headline = {
    match:
      unchecked.length === 0
        ? `intact, ${matches} of ${algorithm} agree`
        : `${matches} of ${algorithm} agree, ${rest} not in the manifest`,
    mismatch: `DIFFERENT from the manifest, ${matches} of ${algorithm} agree`,
    "nothing-found": "the manifest has no hash of this file",
  }[result];
  return safe`${name}: ${headline}\n${table([{ title: "" }, { title: "" }], rows)}`;
}
