/** The place of each tensor in a model: in a block, or outside of blocks. A tensor whose role is not known is placed by its name. */

import type { TensorInfo, TensorRole } from "gguf-wasm/explain";
import { blockRole, placeFinder, type TensorPlace } from "../summary/block-roles.ts";
import type { PlacedTensor } from "../summary/architecture/model-source.ts";

export interface PlacedModel {
  /** The tensors outside of blocks, by the section of the model that they belong to. */
  readonly outer: ReadonlyMap<string, readonly PlacedTensor[]>;
  /** The tensors of blocks, by what their names begin with (`"blk."`) and by the number of their block. */
  readonly blocks: ReadonlyMap<string, ReadonlyMap<number, readonly PlacedTensor[]>>;
}

/** The most beginnings of names that are taken for those of blocks: a file can have as many as it has tensors. */
const MOST_PREFIXES = 24;

/** A name with a number: `"model.layers.3.mlp.up.weight"`. */
const NUMBERED = /^(.*?(?:^|[._]))(\d+)\.(.+)$/;

export function placeTensors(
  tensors: readonly TensorInfo[],
  roleOf: (name: string) => TensorRole | undefined,
): PlacedModel {
  const placeOf = placeFinder(roleOf);
  const prefixes = new Set<string>();
  const outer = new Map<string, PlacedTensor[]>();
  const blocks = new Map<string, Map<number, PlacedTensor[]>>();
  for (const tensor of tensors) {
    const place = placeOf(tensor.name) ?? placeByName(tensor.name, prefixes);
    const placed = { tensor, place, part: blockRole(place.role) };
    if (place.block === undefined) pushTo(outer, place.role.section, placed);
    else {
      const part = blocks.get(place.prefix) ?? new Map<number, PlacedTensor[]>();
      blocks.set(place.prefix, part);
      pushTo(part, place.block, placed);
    }
  }
  return { outer, blocks };
}

/** `prefixes` are the beginnings of names that were found so far. */
function placeByName(name: string, prefixes: Set<string>): TensorPlace {
  const found = NUMBERED.exec(name);
  const isBlock = found?.[1] !== undefined && (prefixes.has(found[1]) || prefixes.size < MOST_PREFIXES);
  const [, prefix = "", block, rest = name] = isBlock ? found : [];
  if (isBlock) prefixes.add(prefix);
  const base = rest.replace(/\.(?:weight|bias)$/, "");
  const role = { base, title: base, description: "", section: block === undefined ? "Other" : "Block" };
  return { role, prefix, block: block === undefined ? undefined : Number(block) };
}

function pushTo<Key>(map: Map<Key, PlacedTensor[]>, key: Key, placed: PlacedTensor): void {
  const list = map.get(key);
  if (list) list.push(placed);
  else map.set(key, [placed]);
}
