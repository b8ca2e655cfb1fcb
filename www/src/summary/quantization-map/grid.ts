/** The bits per weight of a model by block and role. */

import type { TensorInfo } from "gguf-wasm/explain";
import { bitsPerWeight, typeShares } from "../../gguf/tensor-types.ts";
import { BLOCK_ROLES, blockRole, type TensorPlace } from "../block-roles.ts";

/** The most blocks of a picture. No published model has more than 130. */
export const MOST_BLOCKS = 256;

/** The tensors of one role in one block. */
export interface GridCell {
  readonly block: number;
  readonly tensors: readonly TensorInfo[];
  /** Undefined if no size is known. */
  readonly bits: number | undefined;
  /** The types, the one with the most bytes first. */
  readonly types: readonly string[];
}

/** A role in all blocks. */
export interface GridRow {
  readonly name: string;
  readonly title: string;
  /** A cell for each block; undefined if the block has no such tensor. */
  readonly cells: readonly (GridCell | undefined)[];
}

/** The blocks of one part of a model: of a language model, or of an encoder of images. */
export interface Grid {
  /** The title of the part: "Block", "Vision encoder block". */
  readonly title: string;
  /** The beginning of the names of its tensors: `"blk."`. */
  readonly prefix: string;
  /** The numbers of the blocks, ascending. At most `MOST_BLOCKS`. */
  readonly blocks: readonly number[];
  /** How many blocks the part has. */
  readonly blockCount: number;
  /** The roles that occur, in the order of a block. */
  readonly rows: readonly GridRow[];
  /** All tensors of each block together. */
  readonly whole: GridRow;
}

/** A tensor outside of all blocks. */
export interface OuterTensor {
  readonly title: string;
  readonly tensor: TensorInfo;
}

/** A model as its blocks and the tensors outside of them. */
export interface ModelGrids {
  readonly grids: readonly Grid[];
  readonly outer: readonly OuterTensor[];
}

/** Sorts the tensors of a model by block and role. Tensors that nothing is known of are left out. */
export function modelGrids(
  tensors: readonly TensorInfo[],
  placeOf: (name: string) => TensorPlace | undefined,
): ModelGrids {
  const parts = new Map<string, { title: string; blocks: Map<number, Map<string, TensorInfo[]>> }>();
  const outer: OuterTensor[] = [];
  for (const tensor of tensors) {
    const place = placeOf(tensor.name);
    if (place === undefined) continue;
    const { role, prefix, block } = place;
    if (block === undefined) {
      outer.push({ title: role.title, tensor });
      continue;
    }
    const part = entryOf(parts, prefix, () => ({ title: role.section, blocks: new Map() }));
    const roles = entryOf(part.blocks, block, () => new Map<string, TensorInfo[]>());
    entryOf(roles, blockRole(role).name, (): TensorInfo[] => []).push(tensor);
  }
  const grids = [...parts].map(([prefix, { title, blocks }]): Grid => {
    const numbers = [...blocks.keys()].sort((a, b) => a - b);
    const shown = numbers.slice(0, MOST_BLOCKS);
    const rows = BLOCK_ROLES.map(({ name, title }) => ({
      name,
      title,
      cells: shown.map((block) => cellOf(block, blocks.get(block)?.get(name))),
    })).filter(({ cells }) => cells.some((cell) => cell !== undefined));
    const whole = shown.map((block) => cellOf(block, [...(blocks.get(block)?.values() ?? [])].flat()));
    return {
      title,
      prefix,
      blocks: shown,
      blockCount: numbers.length,
      rows,
      whole: { name: "whole", title: "Whole block", cells: whole },
    };
  });
  return { grids, outer };
}

function cellOf(block: number, tensors: readonly TensorInfo[] | undefined): GridCell | undefined {
  if (tensors === undefined || tensors.length === 0) return undefined;
  return { block, tensors, bits: bitsPerWeight(tensors), types: typeShares(tensors).map(({ type }) => type) };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The blocks in which a role has the same types. */
export interface TypeRun {
  readonly types: readonly string[];
  readonly bits: number | undefined;
  readonly blocks: readonly number[];
}

/** The types of a role, the types of the most blocks first. `bits` is computed from all blocks with the same types together. */
export function typeRuns({ cells }: GridRow): TypeRun[] {
  const runs = new Map<string, { types: readonly string[]; cells: GridCell[] }>();
  for (const cell of cells)
    if (cell !== undefined)
      entryOf(runs, [...cell.types].sort().join(" "), () => ({ types: cell.types, cells: [] })).cells.push(cell);
  return [...runs.values()]
    .map(({ types, cells: same }) => ({
      types,
      bits: bitsPerWeight(same.flatMap(({ tensors }) => tensors)),
      blocks: same.map(({ block }) => block),
    }))
    .sort((a, b) => b.blocks.length - a.blocks.length || (a.blocks[0] ?? 0) - (b.blocks[0] ?? 0));
}

/** Blocks with the same bits per weight, as a reader sees them: with two decimals. */
export interface BitsGroup {
  readonly bits: string;
  readonly blocks: readonly number[];
}

/** The blocks by their bits per weight, those with the fewest bits first. */
export function bitsGroups({ whole }: Pick<Grid, "whole">): BitsGroup[] {
  const groups = new Map<string, number[]>();
  for (const cell of whole.cells)
    if (cell?.bits !== undefined) entryOf(groups, cell.bits.toFixed(2), () => []).push(cell.block);
  return [...groups].map(([bits, blocks]) => ({ bits, blocks })).sort((a, b) => Number(a.bits) - Number(b.bits));
}
