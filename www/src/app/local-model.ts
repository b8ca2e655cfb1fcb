/** Local models: one file, or the shards of one model. */

import { formatShardName, parseShardName } from "../gguf/shard-name.ts";
import type { LocalFile } from "./local-file.ts";

/** A local model. */
export interface LocalModel {
  readonly name: string;
  /** Its files: one, or shards in the order of their numbers. */
  readonly files: readonly LocalFile[];
  /** What the viewer opens. It is the same object as long as the model is the same. */
  readonly source: File | readonly File[];
  /** The handle of the file, or of the first shard. */
  readonly handle: FileSystemFileHandle | undefined;
}

/** A file that was chosen, and the folder that it is in: "" if it was chosen alone. */
export interface ChosenFile extends LocalFile {
  readonly folder: string;
}

export function singleModel(file: LocalFile): LocalModel {
  return { name: file.file.name, files: [file], source: file.file, handle: file.handle };
}

/**
 * The models among chosen files. Shards with the same name and count in the same folder are one model. Among several files, those that are
 * not GGUF files are ignored.
 */
export function modelsOf(chosen: readonly ChosenFile[]): LocalModel[] {
  const [only] = chosen;
  // The page says what is wrong with a file of another format.
  if (only && chosen.length === 1 && only.folder === "") return [singleModel(only)];
  const sets = new Map<string, ChosenFile[]>();
  for (const one of chosen) {
    const { name } = one.file;
    if (!/\.gguf$/i.test(name)) continue;
    const shard = parseShardName(name);
    const key = shard ? `${one.folder}\n${shard.base}\n${shard.count}` : `${one.folder}\n${name}\n${sets.size}`;
    sets.set(key, [...(sets.get(key) ?? []), one]);
  }
  return [...sets.values()].map(modelOf).sort((a, b) => a.name.localeCompare(b.name));
}

function modelOf(files: readonly ChosenFile[]): LocalModel {
  const [first] = files;
  if (!first) throw new RangeError("a model has files");
  if (files.length === 1) return singleModel(first);
  const number = ({ file }: LocalFile) => parseShardName(file.name)?.number ?? 0;
  const sorted = files.toSorted((a, b) => number(a) - number(b));
  const shard = parseShardName(first.file.name);
  const [lowest] = sorted;
  return {
    name: shard ? formatShardName({ ...shard, number: 1 }) : first.file.name,
    files: sorted,
    source: sorted.map(({ file }) => file),
    handle: lowest && number(lowest) === 1 ? lowest.handle : undefined,
  };
}

/** The model after one of its files has been saved. `source` is what the viewer shows then. */
export function withSavedFile(model: LocalModel, saved: LocalFile, source: File | readonly File[]): LocalModel {
  return {
    ...model,
    source,
    files: model.files.map((one) => (one.handle === saved.handle ? saved : one)),
  };
}
