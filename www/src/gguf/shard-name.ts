/** The names of shards: `model-00002-of-00005.gguf`. llama.cpp finds the other shards by the name of the first one. */

/** The parts of the name of a shard. */
export interface ShardName {
  /** The name that all shards of the set have in common: `model`. */
  base: string;
  /** The number of the shard, from 1. */
  number: number;
  count: number;
}

const PATTERN = /^(.*)-(\d{5,9})-of-(\d{5,9})\.gguf$/s;

/** The parts of the name of a shard; undefined if it is another name, or that of the only file of a set. */
export function parseShardName(name: string): ShardName | undefined {
  const [, base, ...numbers] = PATTERN.exec(name) ?? [];
  const [number = 0, count = 0] = numbers.map(Number);
  return base !== undefined && count > 1 && number >= 1 && number <= count ? { base, number, count } : undefined;
}

export function formatShardName({ base, number, count }: ShardName): string {
  const digits = (value: number) => String(value).padStart(5, "0");
  return `${base}-${digits(number)}-of-${digits(count)}.gguf`;
}

/** The name of a file without the ending of GGUF files, and without the number of a shard. */
export function baseName(fileName: string): string {
  return parseShardName(fileName)?.base ?? fileName.replace(/\.gguf$/i, "");
}
