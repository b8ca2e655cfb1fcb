import type { GgufSet } from "gguf-wasm/full";
import { setPrograms } from "gguf-wasm/common/programs.js";

/**
 * Checks a set of shards. Each finding gets the position of its row in the set. Only the entries of the first shard have rows. Only the
 * first shard can be edited, so only its findings have fixes.
 */
export function checksOfSet(set: GgufSet) {
  const entries = new Map(set.merged.entries.map(({ key }, at) => [key, at]));
  const tensors = new Map(set.tensors.map(({ shard, name }, at) => [`${shard} ${name}`, at]));
  const findings = set.validate().map((finding) => {
    const { index, fix, ...known } = finding;
    const { shard, key, tensor } = finding;
    let position = index;
    if (shard !== undefined && tensor !== undefined) position = tensors.get(`${shard} ${tensor}`);
    else if (shard !== undefined && key !== undefined) position = shard === 1 ? entries.get(key) : undefined;
    return {
      ...known,
      ...(position === undefined ? {} : { index: position }),
      ...(shard === 1 && fix !== undefined ? { fix } : {}),
    };
  });
  return { loads: set.loads(), findings, programs: setPrograms(set.merged) };
}
