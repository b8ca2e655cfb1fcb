/** Writes a migrated model: to a place on disk, or to the private storage for a download. */

import type { MigrationPlan } from "gguf-wasm/convert";
import { startDownload } from "../saving/download.ts";
import { pickSaveFile } from "../saving/pickers.ts";
import { collectStream, freeStorage, hasStorage } from "../saving/private-storage.ts";
import { streamInto, type StreamedFile } from "../saving/streamed-file.ts";
import { downloadedFile, type Written, writtenFile } from "../saving/written-files.ts";
import { formatBytes } from "../ui/numbers.ts";

type WriteOptions = NonNullable<Parameters<MigrationPlan["stream"]>[0]>;

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<WriteOptions["onProgress"]>;
}

/** Writes the file to a place that the person chooses. Undefined if they choose none. */
export async function saveMigrated(plan: MigrationPlan, name: string, options: Options): Promise<Written | undefined> {
  const handle = await pickSaveFile(name);
  if (!handle) return undefined;
  await streamInto(streamed(plan, options), handle, writing(options));
  return { text: `Saved as ${handle.name}, ${formatBytes(plan.size)}.`, files: [await writtenFile(handle)] };
}

/** Downloads the file once it is complete. */
export async function downloadMigrated(plan: MigrationPlan, name: string, options: Options): Promise<Written> {
  const free = hasStorage() ? await freeStorage() : undefined;
  if (free !== undefined && plan.size > free) {
    const message = `the new file needs ${formatBytes(plan.size)}, and the browser gives this page ${formatBytes(free)} of storage`;
    throw Object.assign(new Error(message), { name: "GgufError", code: "write-failed" });
  }
  const blob = await collectStream(streamed(plan, options), ".gguf", writing(options));
  startDownload(blob, name);
  return {
    text: `Download of ${name} started, ${formatBytes(plan.size)}.`,
    files: [downloadedFile(blob, name)],
  };
}

function streamed(plan: MigrationPlan, { signal, onProgress }: Options): StreamedFile {
  return { size: plan.size, stream: () => plan.stream({ signal, onProgress }) };
}

/** The progress is reported by the stream itself. */
function writing({ signal }: Options) {
  return { signal, onProgress: () => undefined };
}
