import { startedLibrary } from "./started-library.ts";

/** The name of a file without the ending of GGUF files, and without the number of a shard. */
export function baseName(fileName: string): string {
  return startedLibrary()?.parseShardName(fileName)?.prefix ?? fileName.replace(/\.gguf$/i, "");
}
