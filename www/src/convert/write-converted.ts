/** Writes a converted file while it is converted: to a place on disk, or to the private storage for a download. */

import type { ConversionPlan, ConversionProgress } from "gguf-wasm/convert";
import { startDownload } from "../saving/download.ts";
import { pickSaveFile } from "../saving/pickers.ts";
import { collectStream, freeStorage, hasStorage } from "../saving/private-storage.ts";
import { streamInto, type StreamedFile } from "../saving/streamed-file.ts";
import { downloadedFile, type Written, writtenFile } from "../saving/written-files.ts";
import { formatBytes } from "../ui/numbers.ts";
import { pausable, type Pause } from "./pause.ts";

export interface ConvertedFile {
  readonly plan: ConversionPlan;
  readonly name: string;
  readonly pause: Pause;
}

interface ConvertOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ConversionProgress) => void;
}

/** Writes the file to a place that the person chooses. Undefined if they choose none. */
export async function saveConverted(
  { plan, name, pause }: ConvertedFile,
  options: ConvertOptions,
): Promise<Written | undefined> {
  const handle = await pickSaveFile(name);
  if (!handle) return undefined;
  await streamInto(streamed(plan, pause, options), handle, writing(options));
  return { text: `Saved as ${handle.name}, ${formatBytes(plan.size)}.`, files: [await writtenFile(handle)] };
}

/** Downloads the file once it is complete. */
export async function downloadConverted(
  { plan, name, pause }: ConvertedFile,
  options: ConvertOptions,
): Promise<Written> {
  await checkSpace(plan.size);
  const blob = await collectStream(streamed(plan, pause, options), ".gguf", writing(options));
  startDownload(blob, name);
  const text = `Download of ${name} started, ${formatBytes(plan.size)}.`;
  return { text, files: [downloadedFile(blob, name)] };
}

/**
 * Checks whether a file fits into the private storage, before the work begins.
 * @throws an error with the code `write-failed`
 */
async function checkSpace(size: number): Promise<void> {
  const free = hasStorage() ? await freeStorage() : undefined;
  if (free === undefined || size <= free) return;
  const message = `the new file needs ${formatBytes(size)}, and the browser gives this page ${formatBytes(free)} of storage`;
  throw Object.assign(new Error(message), { name: "GgufError", code: "write-failed" });
}

function streamed(plan: ConversionPlan, pause: Pause, { signal, onProgress }: ConvertOptions): StreamedFile {
  return { size: plan.size, stream: () => pausable(plan.stream({ signal, onProgress }), pause) };
}

/** The progress is reported by the conversion itself. */
function writing({ signal }: ConvertOptions) {
  return { signal, onProgress: () => undefined };
}
