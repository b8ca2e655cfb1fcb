import type { GgufSource } from "gguf-wasm/explain";
import type { Hashes } from "gguf-wasm/full";
import { fullGguf } from "../gguf/full.ts";
import type { OpenedModel, StoredFile } from "../gguf/opened-model.ts";
import { setName, shardTitle } from "../gguf/shard-set.ts";
import type { TaskProgress } from "../ui/long-task.ts";
import type { ExpectedFile, HashRequest } from "./expected.ts";

/** The hashes of an open model. */
export interface ModelHashes {
  readonly request: HashRequest;
  /** The hashes of the tensors. Undefined if only whole files were hashed. */
  readonly hashes: Hashes | undefined;
  /** The sha256 of each whole file. Empty if it was not computed. */
  readonly files: readonly ExpectedFile[];
  /** The name of the file in a manifest. */
  readonly fileName: string;
}

interface HashingOptions {
  fileName: string;
  signal: AbortSignal;
  report: (progress: TaskProgress) => void;
  /** Gets the hashes that are finished while others of a set are computed. */
  onPart?: (part: ModelHashes) => void;
}

/** The name of the model in a manifest: the name of the file, or the name that the merged file of a set would have. */
export function manifestName({ set }: Pick<OpenedModel, "set">, fileName: string): string {
  return set ? `${setName(set)}.gguf` : fileName || "model.gguf";
}

/** The path of an address, decoded. Undefined if the source is not an address, or has no folders. */
function pathOf(address: unknown): string | undefined {
  if (!(typeof address === "string" || address instanceof URL) || !URL.canParse(address)) return undefined;
  const { protocol, pathname } = new URL(address);
  // The address of a blob is random.
  if (!/^https?:$/.test(protocol)) return undefined;
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** The name and the path of a file of the model. A file of a chosen folder knows its place in the folder. */
function placeOf(name: string, source: GgufSource | undefined): Pick<ExpectedFile, "name" | "path"> {
  const path = source instanceof File ? source.webkitRelativePath : pathOf(source);
  return path === undefined || path === "" ? { name } : { name, path };
}

/** Computes hashes. The tensors of a set are hashed as if they were in one file. Each shard is also hashed as a whole file. */
export async function computeHashes(
  model: OpenedModel,
  request: HashRequest,
  { fileName, signal, report, onPart }: HashingOptions,
): Promise<ModelHashes> {
  const { gguf, set } = model;
  const { algorithms, tensors, file } = request;
  const name = manifestName(model, fileName);
  const onProgress = ({ bytesRead, totalBytes }: { bytesRead: number; totalBytes: number }) =>
    report({ done: bytesRead, total: totalBytes });
  if (model.stored) {
    const files = await hashFiles(model.stored, { signal, report, onPart: () => undefined });
    return { request, hashes: undefined, files, fileName: name };
  }
  if (!set) {
    const hashes = await (
      await fullGguf(gguf)
    ).hash({ algorithms, tensors: tensors && algorithms.length > 0, file, signal, onProgress });
    const files =
      hashes.fileSha256 === undefined ? [] : [{ ...placeOf(name, model.sources[0]), sha256: hashes.fileSha256 }];
    return { request, hashes, files, fileName: name };
  }
  const hashes =
    algorithms.length === 0
      ? undefined
      : await (await fullGguf(gguf)).hash({ algorithms, tensors, signal, onProgress });
  const files: ExpectedFile[] = [];
  // A part does not say that it has the files of all shards.
  const finish = () => onPart?.({ request: { ...request, file: false }, hashes, files: [...files], fileName: name });
  if (hashes) finish();
  if (file) {
    const shards = set.shards.flatMap((shard, at) =>
      shard.gguf ? [{ name: shardTitle(shard), gguf: shard.gguf, source: model.sources[at] }] : [],
    );
    const onPart = (part: ExpectedFile) => {
      files.push(part);
      finish();
    };
    await hashFiles(shards, { signal, report, onPart });
  }
  return { request, hashes, files, fileName: name };
}

/** A file that is hashed as a whole. */
type WholeFile = Omit<StoredFile, "source"> & { readonly source: GgufSource | undefined };

/** Computes the hash of each whole file. */
async function hashFiles(
  files: readonly WholeFile[],
  {
    signal,
    report,
    onPart,
  }: Pick<HashingOptions, "signal" | "report"> & { readonly onPart: (part: ExpectedFile) => void },
): Promise<ExpectedFile[]> {
  const hashed: ExpectedFile[] = [];
  for (const { name: about, gguf, source } of files) {
    const { fileSha256 } = await (
      await fullGguf(gguf)
    ).hash({
      algorithms: [],
      tensors: false,
      file: true,
      signal,
      onProgress: ({ bytesRead, totalBytes }) => report({ done: bytesRead, total: totalBytes, about }),
    });
    if (fileSha256 === undefined) continue;
    const part = { ...placeOf(about, source), sha256: fileSha256 };
    hashed.push(part);
    onPart(part);
  }
  return hashed;
}
