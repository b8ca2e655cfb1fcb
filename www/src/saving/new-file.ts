import type { EditPlan } from "gguf-wasm/full";
import type { WriteOptions } from "./write-options.ts";

/** Writes a whole file. The picker creates an empty file, which is removed if the writing fails. A file with content keeps it then. */
export async function writeFile(plan: EditPlan, handle: FileSystemFileHandle, options: WriteOptions): Promise<void> {
  const isNew = (await handle.getFile()).size === 0;
  try {
    await plan.applyTo(handle, options);
  } catch (error) {
    if (isNew) await handle.remove?.().catch(() => undefined);
    throw error;
  }
}
