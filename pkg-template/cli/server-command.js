// The command of llama-server that loads a model as it was placed.

import { UNSAFE } from "./safe-text.js";

/** @import { FileKind, MemoryOptions } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */

/**
 * The options of llama-server for files beside a model.
 *
 * @type {Partial<Record<FileKind, string>>}
 */
const BESIDE = {
  mmproj: "--mmproj",
  adapter: "--lora",
  "control-vector": "--control-vector",
  draft: "--model-draft",
  model: "--model-draft",
};

/**
 * The command for a POSIX shell. It always names the context, the sequences, the layers on the GPU and flash attention, because
 * llama-server would choose them itself. It names other settings only if they differ from the defaults of llama-server.
 *
 * @param {string} name The model, as the user gave it.
 * @param {MemoryOptions} settings
 * @param {Arguments} args
 * @param {readonly { readonly name: string, readonly kind: FileKind }[]} beside
 */
export function serverCommand(name, settings, args, beside) {
  const { contextLength, sequences = 1, keyType = "F16", valueType = "F16", gpuLayers, cpuExperts = 0 } = settings;
  const words = ["llama-server", ...modelWords(name)];
  const add = (/** @type {string} */ option, /** @type {string | number | undefined} */ value, isGiven = true) => {
    if (value !== undefined && isGiven) words.push(option, String(value));
  };
  add("-c", contextLength);
  add("-np", sequences);
  // Several sequences share one cache by default.
  if (sequences > 1) words.push(settings.unified ? "-kvu" : "-no-kvu");
  add("-ctk", keyType.toLowerCase(), keyType !== "F16");
  add("-ctv", valueType.toLowerCase(), valueType !== "F16");
  add("-ngl", gpuLayers);
  add("-ts", settings.tensorSplit?.join(","));
  // The first pattern that matches counts, so these come before the experts.
  for (const pattern of args.texts("override-tensor")) add("-ot", quoted(pattern));
  add("-ncmoe", cpuExperts, cpuExperts > 0);
  if (settings.noKvOffload) words.push("-nkvo");
  add("-b", settings.batch);
  add("-ub", settings.microBatch);
  add("-fa", settings.flashAttention === false ? "off" : "on");
  if (settings.swaFull) words.push("--swa-full");
  for (const { name, kind } of beside) {
    const option = BESIDE[kind];
    if (option !== undefined) words.push(option, quotedPath(name));
  }
  return words.join(" ");
}

/** The options that name a model: a path, a URL or a name of the hub. @param {string} name */
function modelWords(name) {
  if (/^https?:/i.test(name)) return ["--model-url", quoted(name)];
  const [, encoded] = /^hub:([^/@]+\/[^/@:]+:[^/@:]+)$/.exec(name) ?? [];
  if (encoded !== undefined) return ["-hf", quoted(encoded)];
  const [, repository, file] = /^hub:([^/@]+\/[^/@:]+)\/(.+)$/.exec(name) ?? [];
  if (repository !== undefined && file !== undefined) return ["-hf", quoted(repository), "-hff", quoted(file)];
  // llama-server reads no standard input, and knows no revisions.
  return ["-m", name === "-" || name.startsWith("hub:") ? "model.gguf" : quotedPath(name)];
}

/** A path as one word of a POSIX shell. @param {string} path */
function quotedPath(path) {
  return quoted(path.startsWith("-") ? `./${path}` : path);
}

/** A text as one word of a POSIX shell. A terminal may act on control characters, also between quotes. @param {string} text */
function quoted(text) {
  const visible = text.replace(UNSAFE, "?");
  return /^[\w.,:@%+=/-]+$/.test(visible) ? visible : `'${visible.replaceAll("'", "'\\''")}'`;
}
