// Opens models in the formats before GGUF. Only the magic of a file leads here, because this loads another module.

import { pathToFileURL } from "node:url";
import { listingOriginals } from "../common/originals.js";
import { openDraft, openLegacy } from "../convert/node.js";
import { Gguf } from "../full/node.js";
import { CommandError, aboutFile } from "./errors.js";
import { locate, serverOf } from "./hub.js";
import { addInput, addRemoteInput } from "./inputs.js";
import { currentProgress, note } from "./output.js";
import { httpUrl, requestOptions } from "./requests.js";
import { safe } from "./safe-text.js";
import { checkReadable, fileNameOf, pathOf } from "./source.js";
import { counted } from "./text.js";

/** @import { LegacyFamily, LegacyModel, RequestOptions } from "gguf-wasm/convert" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** @typedef {{ name: string, model: LegacyModel }} OpenedLegacy */

/**
 * Opens a model in a format before GGUF. Its other parts are found beside it: NAME.1, NAME.2 and so on.
 *
 * @param {string} name The path or the URL of the first part, or its name on the hub.
 * @param {Arguments} args
 * @returns {Promise<OpenedLegacy>}
 */
export function openLegacyModel(name, args) {
  return openPlace(name, args, async (source, path, options) => {
    // A family that the package does not know is refused by it.
    const family = /** @type {LegacyFamily | undefined} */ (args.text("family"));
    const model = await openLegacy(source, { ...options, ...(family !== undefined && { family }) });
    for (const [i] of model.parts.entries()) {
      const ending = i === 0 ? "" : `.${i}`;
      if (path !== undefined) addInput(path + ending);
      else addRemoteInput(String(source).replace(/(?=[?#]|$)/, ending), options);
    }
    return { name, model };
  });
}

/**
 * Opens a file in the layout of the draft of GGUF, as the GGUF file that has the same entries and tensors.
 *
 * @param {string} name
 * @param {Arguments} args
 */
export function openDraftFile(name, args) {
  return openPlace(name, args, async (source, path, options) => {
    const plan = await openDraft(source, options);
    if (path !== undefined) addInput(path);
    else addRemoteInput(String(source), options);
    return plan;
  });
}

/**
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<OpenedModel>}
 */
export async function openDraftModel(name, args) {
  const gguf = await Gguf.open(await openDraftFile(name, args));
  return { name, fileName: fileNameOf(name), path: name, gguf, close: async () => {} };
}

/**
 * Opens a file of this computer or of a server, every range of which can be read.
 *
 * @template T
 * @param {string} name
 * @param {Arguments} args
 * @param {(source: string | URL, path: string | undefined, options: RequestOptions & { fileName: string }) => Promise<T>} open
 * @returns {Promise<T>}
 */
function openPlace(name, args, open) {
  return aboutFile(name, async () => {
    const place = await locate(name, args);
    const url = httpUrl(place);
    const path = url === undefined ? pathOf(place) : undefined;
    if (place === "-" || (path !== undefined && !(await checkReadable(path)).isFile())) {
      const advice = "Save it in a file first, and give the path of that.";
      throw new CommandError("no-ranges", `${name}: a model before GGUF cannot be read from a pipe. ${advice}`);
    }
    const fileName = fileNameOf(place);
    const progress = currentProgress(`Reading ${fileName}`, serverOf(place));
    try {
      const source = path === undefined ? place : pathToFileURL(path);
      return await open(source, path, { ...requestOptions(place, args), fileName });
    } finally {
      progress.clear();
    }
  });
}

/**
 * Opens a model in a format before GGUF as a GGUF file: with its own names, and with exact values.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<OpenedModel>}
 */
export async function openAsGguf(name, args) {
  const { model } = await openLegacyModel(name, args);
  warnOfLegacy({ name, model }, args);
  const exact = await aboutFile(name, () => Gguf.open(model.asGguf()));
  const gguf = withOriginals(exact, model);
  return { name, fileName: model.fileName ?? "", path: name, gguf, close: async () => {} };
}

/**
 * The file that shows a model. Its exports list the tensors as the model has them, with their own types.
 *
 * @param {Gguf} gguf
 * @param {LegacyModel} model
 * @returns {Gguf}
 */
function withOriginals(gguf, { gguf: stored, parts }) {
  const isJoined = parts.length > 1;
  const originals = stored.tensors.map(({ type, byteLength, fileOffset }) => ({
    type,
    byteLength,
    // The shares of a tensor lie in several files.
    fileOffset: isJoined ? undefined : fileOffset,
  }));
  return Object.assign(Object.create(gguf), listingOriginals(gguf, originals));
}

/**
 * Which parts of a model were not found.
 *
 * @param {string} fileName That of the file that was opened as the first part.
 * @param {number} found
 * @param {number} count
 */
function missingParts(fileName, found, count) {
  const [, first, number = ""] = /^(.+)\.([1-9]\d?)$/.exec(fileName) ?? [];
  if (first !== undefined && found === 1 && Number(number) < count) {
    return `this is part ${Number(number) + 1} of ${count} of a model. Open ${first}.`;
  }
  const last = count - 1;
  const names = `${fileName}.${found}${found < last ? ` to ${fileName}.${last}` : ""}`;
  return `${counted(count - found, "part")} of ${count} ${found < last ? "are" : "is"} missing: ${names} beside the file.`;
}

/**
 * Says on the standard error what is not certain about a model, unless the output is for programs.
 *
 * @param {OpenedLegacy} opened
 * @param {Arguments} args
 */
export function warnOfLegacy({ name, model: { family, alternatives, parts, partCount, fileName = "" } }, args) {
  if (args.flag("json")) return;
  if (alternatives.length > 0 && args.text("family") === undefined) {
    const others = alternatives.join(", ");
    note(safe`gguf-wasm: ${name}: read as ${family}. The file could also be ${others}: choose with --family.\n`);
  }
  if (parts.length < partCount) {
    note(safe`gguf-wasm: ${name}: ${missingParts(fileName, parts.length, partCount)}\n`);
  }
}
