import { open } from "node:fs/promises";
import { OpenFile } from "./local-file.js";

/** @type {typeof import("./file-source.js").fileSource} */
export async function fileSource(path) {
  const handle = await open(path);
  try {
    const stats = await handle.stat({ bigint: true });
    return new OpenFile(handle, stats.isFile() ? stats : undefined);
  } catch (error) {
    await handle.close();
    throw error;
  }
}
