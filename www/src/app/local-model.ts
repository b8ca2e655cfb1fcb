/** Local models: one file, or the shards of one model. */

import { rawPart, rawSets } from "gguf-wasm/common/raw-parts.js";
import type { ShardName } from "gguf-wasm/explain";
import type { shardName } from "gguf-wasm/full";
import { loadFull } from "../gguf/full.ts";
import { loadLibrary, parseShardName } from "../gguf/library.ts";
import type { SelfOpening } from "../gguf/model-source.ts";
import type { ModelFolder } from "../models/model-folder.ts";
import type { ChosenFile, LocalFile } from "./local-file.ts";
import { type FoundFolder, isModelPart, modelFolders } from "./model-folders.ts";

/** A local model. */
export interface LocalModel {
  readonly name: string;
  /** Its files: one, or shards in the order of their numbers. */
  readonly files: readonly LocalFile[];
  /** The number of shards that the model has by its name, also if some are missing here. */
  readonly shardCount: number;
  /** What the viewer opens. It is the same object as long as the model is the same. */
  readonly source: File | readonly File[] | SelfOpening;
  /** The handle of the file, or of the first shard. */
  readonly handle: FileSystemFileHandle | undefined;
  /** The folder, if it is a model in the layout of Hugging Face: it is converted. The files above are those of the folder. */
  readonly folder?: ModelFolder;
}

export function singleModel(file: LocalFile): LocalModel {
  return { name: file.file.name, files: [file], shardCount: 1, source: file.file, handle: file.handle };
}

/**
 * The models among chosen files. Shards with the same name and count in the same folder are one model, and so is a folder with safetensors.
 * Other files are ignored if there are several.
 * @throws GgufError if the modules do not load that know the names of shards and open them
 */
export async function modelsOf(chosen: readonly ChosenFile[]): Promise<LocalModel[]> {
  const [only] = chosen;
  // The page says what is wrong with a file of another format.
  if (only && chosen.length === 1 && only.folder === "" && !isModelPart(only)) return [singleModel(only)];
  const cut = rawModels(chosen);
  const ggufs = chosen.filter(({ file }) => /\.gguf$/i.test(file.name) && !rawPart(file.name));
  if (ggufs.length > 0) await loadLibrary();
  const legacy = ggufs.length === 0 && cut.length === 0 ? legacyModels(chosen) : [];
  const sets = new Map<string, NamedFile[]>();
  for (const one of ggufs) {
    const { name } = one.file;
    const shard = parseShardName(name);
    const key = shard ? `${one.folder}\n${shard.prefix}\n${shard.count}` : `${one.folder}\n${name}\n${sets.size}`;
    sets.set(key, [...(sets.get(key) ?? []), { ...one, shard }]);
  }
  const hasSet = [...sets.values()].some((files) => files.length > 1);
  const nameOf = hasSet ? (await loadFull()).shardName : undefined;
  return [...sets.values()]
    .map((files) => modelOf(files, nameOf))
    .concat(cut, legacy, modelFolders(chosen).map(ofFolder))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The model that is a folder. */
function ofFolder({ folder, files }: FoundFolder): LocalModel {
  return { name: folder.name, files, shardCount: 1, source: files.map(({ file }) => file), handle: undefined, folder };
}

/** The files that were cut into raw parts. */
function rawModels(chosen: readonly ChosenFile[]): LocalModel[] {
  const sets = rawSets(
    chosen,
    ({ file }) => file.name,
    ({ folder }) => folder,
  );
  return sets.map(({ base, parts }) => {
    const source = parts.map(({ file }) => file);
    return { name: base, files: parts, shardCount: 1, source, handle: undefined };
  });
}

/** The name of a model in a format before GGUF, or of one of its parts: `model.bin`, `model.bin.1`. */
const LEGACY_NAME = /^(.*\.bin)(?:\.(\d+))?$/i;

/** The models in formats before GGUF. Parts with the same name in the same folder are one model. */
function legacyModels(chosen: readonly ChosenFile[]): LocalModel[] {
  const models = new Map<string, { file: ChosenFile; number: number }[]>();
  for (const file of chosen) {
    const [, name, number = "0"] = LEGACY_NAME.exec(file.file.name) ?? [];
    if (name === undefined) continue;
    const key = `${file.folder}\n${name}`;
    models.set(key, [...(models.get(key) ?? []), { file, number: Number(number) }]);
  }
  return [...models.values()].flatMap((parts) => {
    const files = parts.toSorted((a, b) => a.number - b.number).map(({ file }) => file);
    const [first] = files;
    if (!first) return [];
    const source = files.length === 1 ? first.file : files.map(({ file }) => file);
    return [{ ...singleModel(first), files, source }];
  });
}

/** A file, and what its name says if it is that of a shard. */
type NamedFile = LocalFile & { readonly shard: ShardName | undefined };

/** A model of one file, or of the shards of a set. `nameOf` makes the name of a shard; one file needs none. */
function modelOf(files: readonly NamedFile[], nameOf: typeof shardName | undefined): LocalModel {
  const sorted = files.toSorted((a, b) => (a.shard?.number ?? 0) - (b.shard?.number ?? 0));
  const [lowest] = sorted;
  if (!lowest) throw new RangeError("a model has files");
  const { shard } = lowest;
  const shardCount = shard?.count ?? 1;
  if (!shard || !nameOf || files.length === 1) return { ...singleModel(lowest), shardCount };
  return {
    name: nameOf(shard.prefix, 1, shard.count),
    files: sorted,
    shardCount,
    source: sorted.map(({ file }) => file),
    handle: shard.number === 1 ? lowest.handle : undefined,
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
