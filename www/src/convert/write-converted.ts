/** Writes a converted model while it is converted: to a place on disk, or to the private storage for a download. */

import type { ConversionProgress } from "gguf-wasm/convert";
import { startDownload } from "../saving/download.ts";
import { pickFolder, pickSaveFile } from "../saving/pickers.ts";
import { checkSpace, collectStream, writeFailure } from "../saving/private-storage.ts";
import { streamInto, type StreamedFile } from "../saving/streamed-file.ts";
import { existingNames } from "../saving/write-files.ts";
import { downloadedFile, type Written, type WrittenFile, writtenFile } from "../saving/written-files.ts";
import { formatBytes, formatCount } from "../ui/numbers.ts";
import { pausable, type Pause } from "./pause.ts";
import { resumable, type Resumption } from "./resumption.ts";

/** What is written of a plan: that of a conversion to other types, or of a model that becomes a GGUF file. */
export interface WritablePlan {
  /** The size of all new files in bytes. */
  readonly size: number;
  readonly files: readonly { readonly size: number }[];
  readonly tensors: { readonly length: number };
  /** The tensors of a new file. */
  layout(file: number): { readonly length: number };
  stream(options: WrittenStream): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** How a new file is read: from a position on. */
export interface WrittenStream extends ConvertOptions {
  readonly file: number;
  readonly start: number;
}

export interface ConvertedModel {
  readonly plan: WritablePlan;
  /** The names of the new files: one, one for each shard, or those of a model and its projector. */
  readonly names: readonly string[];
  /** Whether several files are the shards of one model. */
  readonly isSplit: boolean;
  readonly pause: Pause;
  readonly resumption: Resumption;
}

interface ConvertOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ConversionProgress) => void;
}

/** Milliseconds between two downloads. Browsers drop downloads that start within a moment. */
const BETWEEN_DOWNLOADS = 500;

/** Writes the files to a place that the person chooses. Undefined if they choose none. */
export function saveConverted(model: ConvertedModel, options: ConvertOptions): Promise<Written | undefined> {
  return model.names.length === 1 ? saveFile(model, options) : saveIntoFolder(model, options);
}

async function saveFile(model: ConvertedModel, options: ConvertOptions): Promise<Written | undefined> {
  const { plan, names } = model;
  const handle = await pickSaveFile(names[0] ?? "");
  if (!handle) return undefined;
  await streamInto(streamed(model, 0, options), handle, writing(options));
  return { text: `Saved as ${handle.name}, ${formatBytes(plan.size)}.`, files: [await writtenFile(handle)] };
}

/** Writes all files, or none. */
async function saveIntoFolder(model: ConvertedModel, options: ConvertOptions): Promise<Written | undefined> {
  const { plan, names } = model;
  const folder = await pickFolder();
  if (!folder) return undefined;
  const [existing] = await existingNames(folder, names);
  if (existing !== undefined)
    throw writeFailure(`the folder ${folder.name} has a file ${existing} already. Choose another folder, or remove it`);
  const files: WrittenFile[] = [];
  try {
    for (const [i, name] of names.entries()) {
      const handle = await folder.getFileHandle(name, { create: true });
      await streamInto(streamed(model, i, options), handle, writing(options));
      files.push(await writtenFile(handle));
    }
  } catch (error) {
    for (const { file } of files) await folder.removeEntry(file.name).catch(() => undefined);
    throw error;
  }
  return { text: `${allWritten(model)} written into ${folder.name}, ${formatBytes(plan.size)}.`, files };
}

/** Downloads the files once all are complete. */
export async function downloadConverted(model: ConvertedModel, options: ConvertOptions): Promise<Written> {
  const { plan, names } = model;
  await checkSpace(plan.size);
  const blobs: Blob[] = [];
  for (const i of names.keys()) blobs.push(await collectStream(streamed(model, i, options), ".gguf", writing(options)));
  for (const [i, name] of names.entries()) {
    if (i > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_DOWNLOADS));
    startDownload(blobs[i] as Blob, name);
  }
  const files = names.map((name, i) => downloadedFile(blobs[i] as Blob, name));
  const what = names.length === 1 ? (names[0] ?? "") : allWritten(model);
  return { text: `Download of ${what} started, ${formatBytes(plan.size)}.`, files };
}

/** Several files in words: shards by their number, others by their names and sizes. */
function allWritten({ plan, names, isSplit }: ConvertedModel): string {
  if (isSplit) return formatCount(names.length, "shard");
  const one = (name: string, at: number) => {
    const size = plan.files[at]?.size;
    return size === undefined ? name : `${name} (${formatBytes(size)})`;
  };
  return names.map(one).join(" and ");
}

/** A new file of the plan. Its progress is that of all files together. */
function streamed(
  { plan, pause, resumption }: ConvertedModel,
  file: number,
  { signal, onProgress }: ConvertOptions,
): StreamedFile {
  const before = plan.files.slice(0, file);
  const bytesBefore = before.reduce((sum, { size }) => sum + size, 0);
  const tensorsBefore = before.reduce((sum, _, i) => sum + plan.layout(i).length, 0);
  const report = (progress: ConversionProgress) =>
    onProgress({
      ...progress,
      bytesWritten: bytesBefore + progress.bytesWritten,
      totalBytes: plan.size,
      tensorsDone: tensorsBefore + progress.tensorsDone,
      tensorCount: plan.tensors.length,
    });
  const open = (start: number) => plan.stream({ file, start, signal, onProgress: report });
  return {
    size: plan.files[file]?.size ?? 0,
    stream: () => pausable(resumable(open, resumption), pause),
  };
}

/** The progress is reported by the conversion itself. */
function writing({ signal }: ConvertOptions) {
  return { signal, onProgress: () => undefined };
}
