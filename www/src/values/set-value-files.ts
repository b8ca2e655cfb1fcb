import type { GgufSource } from "gguf-wasm/explain";
import type { GgufSet } from "gguf-wasm/full";
import type { ValueFile, ValueFiles } from "./value-files.ts";

/** The files of a model in shards. `sources` are those of the shards, in their order. */
export function shardFiles(set: GgufSet, sources: readonly (GgufSource | undefined)[]): ValueFiles {
  const files = new Map<number, ValueFile>();
  set.shards.forEach(({ number, gguf }, at) => {
    if (gguf) files.set(number, { gguf, source: sources[at] });
  });
  // The tensors of the set are those of the first open shard, then those of the next one.
  const starts = new Map<number, number>();
  let start = 0;
  for (const [number, { gguf }] of files) {
    starts.set(number, start);
    start += gguf.tensors.length;
  }
  return {
    files: [...files.values()],
    place(index) {
      const tensor = set.tensors[index];
      const file = tensor && files.get(tensor.shard);
      return file && { file, tensor: index - (starts.get(tensor.shard) ?? 0) };
    },
  };
}
