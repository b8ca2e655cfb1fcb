/** Folders with models in the layout of Hugging Face, among the files that a person chose. */

import type { ModelFolder } from "../models/model-folder.ts";
import type { ChosenFile } from "./local-file.ts";

/** The files of such models: tensors, configurations, vocabularies, templates, and the model card. */
const FILE = /\.(?:safetensors|json|jinja|model)$|^(?:merges\.txt|vocab\.txt|README\.md)$/i;

/** The folders in the folder of a model that belong to it. */
const INNER = /\/(?:additional_chat_templates|\d_[\w-]+)$/;

/** A folder with a model. */
export interface FoundFolder {
  readonly folder: ModelFolder;
  readonly files: readonly ChosenFile[];
}

/** Whether a file in a folder may belong to such a model, by its name. */
export function isModelFile(name: string): boolean {
  return FILE.test(name);
}

/** Whether a file shows that its folder is such a model. */
export function isModelPart({ file: { name } }: ChosenFile): boolean {
  return /\.safetensors(?:\.index\.json)?$/i.test(name);
}

/**
 * The models: the folders that have safetensors. Without any, and without a GGUF file, a folder with `config.json` is one, too: the page says
 * what is missing. Files that were chosen without a folder are those of one model.
 */
export function modelFolders(chosen: readonly ChosenFile[]): FoundFolder[] {
  const folders = new Map<string, ChosenFile[]>();
  for (const one of chosen) {
    if (!isModelFile(one.file.name)) continue;
    const folder = one.folder.replace(INNER, "");
    folders.set(folder, [...(folders.get(folder) ?? []), one]);
  }
  const hasGguf = chosen.some(({ file }) => /\.gguf$/i.test(file.name));
  const isModel = (files: readonly ChosenFile[]) =>
    files.some(isModelPart) || (!hasGguf && files.some(({ file }) => /^(?:adapter_)?config\.json$/.test(file.name)));
  return [...folders].filter(([, files]) => isModel(files)).map(([path, files]) => found(path, files));
}

function found(path: string, files: readonly ChosenFile[]): FoundFolder {
  const inFolder = files.map((one): [string, File] => {
    const inner = one.folder.slice(path.length).replace(/^\//, "");
    return [inner === "" ? one.file.name : `${inner}/${one.file.name}`, one.file];
  });
  return { files, folder: { name: path.split("/").at(-1) || "model", files: Object.fromEntries(inFolder) } };
}
