/** Writes a migrated model: to a place on disk, or to the private storage for a download. */

import { startDownload } from "../saving/download.ts";
import { pickSaveFile } from "../saving/pickers.ts";
import { checkSpace, collectStream } from "../saving/private-storage.ts";
import { streamInto, type StreamedFile } from "../saving/streamed-file.ts";
import { downloadedFile, type Written, writtenFile } from "../saving/written-files.ts";
import { formatBytes } from "../ui/numbers.ts";

/** Writes the file to a place that the person chooses. Undefined if they choose none. */
export async function saveMigrated(
  file: StreamedFile,
  name: string,
  signal: AbortSignal,
): Promise<Written | undefined> {
  const handle = await pickSaveFile(name);
  if (!handle) return undefined;
  await streamInto(file, handle, writing(signal));
  return { text: `Saved as ${handle.name}, ${formatBytes(file.size)}.`, files: [await writtenFile(handle)] };
}

/** Downloads the file once it is complete. */
export async function downloadMigrated(file: StreamedFile, name: string, signal: AbortSignal): Promise<Written> {
  await checkSpace(file.size);
  const blob = await collectStream(file, ".gguf", writing(signal));
  startDownload(blob, name);
  return { text: `Download of ${name} started, ${formatBytes(file.size)}.`, files: [downloadedFile(blob, name)] };
}

/** The progress is reported by the migration itself. */
function writing(signal: AbortSignal) {
  return { signal, onProgress: () => undefined };
}
