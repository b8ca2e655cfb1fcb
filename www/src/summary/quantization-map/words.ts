/** What the map of the quantization shows, in words. */

import { formatCount } from "../../ui/numbers.ts";
import { formatBlocks } from "../number-ranges.ts";
import { bitsGroups, type Grid, type GridCell, type GridRow, typeRuns } from "./grid.ts";

const LIST = new Intl.ListFormat("en");

/** "Q4_K and Q6_K". */
export function formatTypes(types: readonly string[]): string {
  const [first = ""] = types;
  // Most cells have one type, and a list format takes longer than all other words of a cell.
  return types.length > 1 ? LIST.format(types) : first;
}

/** "4.55 bits per weight". */
export function formatBits(bits: number | undefined): string {
  return bits === undefined ? "size not known" : `${bits.toFixed(2)} bits per weight`;
}

/** Where the quantizer spent bits: the blocks with the fewest and with the most bits per weight. */
export function spentWords(grid: Grid): string {
  const groups = bitsGroups(grid);
  const [fewest, most] = [groups[0], groups.at(-1)];
  const count = formatCount(grid.blocks.length, grid.title.toLowerCase());
  if (fewest === undefined || most === undefined) return `${count}. The sizes are not known.`;
  if (groups.length === 1)
    return grid.blocks.length === 1
      ? `${count} with ${fewest.bits} bits per weight.`
      : `All ${count} have ${fewest.bits} bits per weight.`;
  return `${count}. The fewest bits per weight: ${fewest.bits} in ${formatBlocks(fewest.blocks)}. The most: ${most.bits} in ${formatBlocks(most.blocks)}.`;
}

/** The types of a role, with the blocks that have each: one text for each. */
export function roleWords(row: GridRow): string[] {
  const runs = typeRuns(row);
  const present = row.cells.filter((cell) => cell !== undefined).length;
  return runs.map(({ types, bits, blocks }) => {
    const where = blocks.length === row.cells.length && present > 1 ? "all blocks" : formatBlocks(blocks);
    return `${formatTypes(types)} in ${where}: ${formatBits(bits)}`;
  });
}

/** A cell of the map: "Block 3, value: Q6_K, 6.56 bits per weight". */
export function cellWords({ title: part }: Pick<Grid, "title">, { title }: GridRow, cell: GridCell): string {
  const types = cell.types.length > 4 ? `${cell.types.length} types` : formatTypes(cell.types);
  return `${part} ${cell.block}, ${title.toLowerCase()}: ${types}, ${formatBits(cell.bits)}`;
}
