/** What a person chooses for a split. */

import type { Gguf } from "gguf-wasm/explain";
import type { SplitOptions } from "gguf-wasm/full";
import { formatCount } from "../ui/numbers.ts";

export type SizeUnit = "MB" | "GB";

export interface SplitChoices {
  /** What is limited: the number of tensors of a shard, or its size. */
  limit: "tensors" | "size";
  /** The text of the field with the number of tensors. */
  tensors: string;
  /** The text of the field with the size. */
  size: string;
  unit: SizeUnit;
  /** Whether the first shard holds the metadata only. */
  emptyFirst: boolean;
  /** The name that all shards have in common. */
  name: string;
}

/** The sizes of llama.cpp's tool are decimal. */
const UNITS: Readonly<Record<SizeUnit, number>> = { MB: 1e6, GB: 1e9 };

/** The most shards that are planned. More would take seconds, in which the page does not react. */
const MAX_SHARDS = 1000;

/** What a split needs to know about a file. */
type Splittable = Pick<Gguf, "tensors" | "alignment">;

/** The choices for a file: a limit in gigabytes, as hosts and disks have one. `tensors` is the limit of llama.cpp's tool. */
export function defaultChoices(name: string): SplitChoices {
  return { limit: "size", tensors: "128", size: "2", unit: "GB", emptyFirst: false, name };
}

/** The options of the split, or the field that is wrong and why. */
export function splitOptions(choices: SplitChoices): SplitOptions | { field: "number" | "name"; problem: string } {
  const name = choices.name.trim();
  // eslint-disable-next-line no-control-regex -- no system allows control characters in names of files
  if (name === "" || /[\\/:*?"<>|\u0000-\u001f]/.test(name) || name.length > 200)
    return { field: "name", problem: 'Type a name without \\ / : * ? " < > |, of at most 200 characters.' };
  const limits = limitOf(choices);
  if (typeof limits === "string") return { field: "number", problem: limits };
  return { name, ...limits, tensorsInFirst: !choices.emptyFirst };
}

function limitOf({ limit, tensors, size, unit }: SplitChoices): Pick<SplitOptions, "maxTensors" | "maxBytes"> | string {
  if (limit === "tensors") {
    const maxTensors = Number(tensors);
    return Number.isInteger(maxTensors) && maxTensors >= 1 && maxTensors <= 1e9
      ? { maxTensors }
      : "Type a number of tensors from 1.";
  }
  const maxBytes = Math.round(Number(size) * UNITS[unit]);
  return maxBytes >= 1 && maxBytes <= 1e15 ? { maxBytes } : `Type a size in ${unit} above 0.`;
}

/** Why a split is not planned: it gives too many shards. Undefined if it can be planned. */
export function tooManyShards(file: Splittable, options: SplitOptions): string | undefined {
  const count = countShards(file, options);
  return count > MAX_SHARDS ? `This gives ${formatCount(count, "shard")}. Choose a larger limit.` : undefined;
}

/**
 * The number of shards that a split gives, without planning it. A tensor whose size is not known counts as empty, so the split of a broken
 * file may give more.
 */
export function countShards({ tensors, alignment }: Splittable, options: SplitOptions): number {
  const { maxTensors, maxBytes = Infinity, tensorsInFirst = true } = options;
  const empty = tensorsInFirst || tensors.length === 0 ? 0 : 1;
  if (maxTensors !== undefined) return empty + Math.max(1, Math.ceil(tensors.length / maxTensors));
  let [count, size] = [1, 0];
  for (const [at, { byteLength = 0 }] of tensors.entries()) {
    const padded = Math.ceil(byteLength / alignment) * alignment;
    if (at > 0 && size + padded > maxBytes) [count, size] = [count + 1, 0];
    size += padded;
  }
  return empty + count;
}
