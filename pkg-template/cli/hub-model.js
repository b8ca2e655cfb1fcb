// Opens what the user names as a model in the layout of Hugging Face: a folder, its URL, or a repository of the hub.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openModel } from "../models/node.js";
import { parseRepository } from "../full/node.js";
import { CommandError, UsageError, aboutFile } from "./errors.js";
import { explainTensorFiles } from "./explain-format.js";
import { serverOf } from "./hub.js";
import { addInput, addRemoteInput } from "./inputs.js";
import { currentProgress } from "./output.js";
import { httpUrl, hubAddress, isHubName, requestOptions } from "./requests.js";
import { pathOf } from "./source.js";

/** @import { HubModel, ModelSource, RepositoryOptions } from "gguf-wasm/models" */
/** @import { Arguments } from "./arguments.js" */

/**
 * Opens a model. Its files become inputs of the command.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<HubModel>}
 */
export function openHubModel(name, args) {
  return aboutFile(name, async () => {
    const { source, place, path } = await folderSource(name, args);
    const progress = currentProgress(`Reading ${name}`, serverOf(place));
    try {
      const model = await openModel(source, requestOptions(place, args));
      addFolderInputs({ source, place, path }, filesOf(model), args);
      return model;
    } catch (error) {
      if (path !== undefined) await explainTensorFiles(error, path);
      throw error;
    } finally {
      progress.clear();
    }
  });
}

/**
 * Remembers files of a folder as inputs of the command.
 *
 * @param {FolderSource} folder
 * @param {readonly string[]} files Their paths in the folder. Missing files are ignored.
 * @param {Arguments} args
 */
export function addFolderInputs({ source, place, path }, files, args) {
  for (const file of files) {
    if (path !== undefined) addInput(join(path, file));
    else addRemoteInput(urlIn(source, file), requestOptions(place, args));
  }
}

/** The URL of a file in a folder of a server. @param {ModelSource} source @param {string} file */
function urlIn(source, file) {
  const encoded = (/** @type {string} */ path) => path.split("/").map(encodeURIComponent).join("/");
  if (typeof source === "string") {
    const [, folder = "", query = ""] = /^([^?#]*?)\/*([?#].*)?$/s.exec(source) ?? [];
    return `${folder}/${encoded(file)}${query}`;
  }
  const { repository, hub = "", revision } = /** @type {RepositoryOptions} */ (source);
  const address = parseRepository(repository, { hub });
  const inside = address?.path === undefined ? file : `${address.path}/${file}`;
  return `${hub}/${address?.id}/resolve/${encodeURIComponent(revision ?? address?.revision ?? "main")}/${encoded(inside)}`;
}

/** The paths of the files that were read. @param {HubModel} model */
function filesOf({ files, parts }) {
  return [...files, ...parts.map(({ name }) => name), "model.safetensors.index.json"];
}

/**
 * @typedef {object} FolderSource
 * @property {ModelSource} source
 * @property {string} place The path, the URL or the address of the hub.
 * @property {string} [path] The path, if it is a folder of this computer.
 */

/**
 * The source of a model, where it is requested from, and the path of its folder.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<FolderSource>}
 */
export async function folderSource(name, args) {
  const hub = hubAddress();
  const revision = args.text("revision");
  const url = httpUrl(name);
  if ((isHubName(name) || url !== undefined) && parseRepository(name, { hub })) {
    return { source: { repository: name, hub, ...(revision !== undefined && { revision }) }, place: hub };
  }
  if (isHubName(name)) throw new UsageError(`"${name}" is not a name of the hub, expected hub:OWNER/NAME[@REVISION].`);
  if (revision !== undefined) {
    throw new UsageError("--revision is for repositories of the hub. Leave it out, or give hub:OWNER/NAME.");
  }
  if (url !== undefined) return { source: url, place: url };
  const path = pathOf(name);
  if (!(await stat(path)).isDirectory()) {
    const advice = "Give the folder with config.json, the .safetensors files and the tokenizer.";
    throw new CommandError("ENOTDIR", `${name}: it is a file, not a folder. ${advice}`);
  }
  // A path may look like a URL.
  return { source: pathToFileURL(path), place: path, path };
}
