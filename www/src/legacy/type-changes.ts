import type { MigrationExactness, MigrationTensor } from "gguf-wasm/convert";

/** What becomes of the tensors of one type. */
export interface TypeChange {
  readonly oldType: string;
  readonly newType: string;
  readonly relation: string;
  readonly isLossy: boolean;
  tensors: number;
  /** The values that were compared. 0 if they have not been compared. */
  values: number;
  changed: number;
  maxError: number;
  lost: number;
}

/** What becomes of each type, in the order of the file. The figures are those of `exactness`, if it is known. */
export function typeChanges(
  tensors: readonly MigrationTensor[],
  exactness: MigrationExactness | undefined,
): readonly TypeChange[] {
  const figures = new Map(exactness?.tensors.map((tensor) => [tensor.index, tensor.exactness]));
  const rows = new Map<string, TypeChange>();
  for (const [index, { oldType, newType, relation, isLossy }] of tensors.entries()) {
    const key = `${oldType}\n${newType}\n${relation}`;
    const row = rows.get(key) ?? {
      oldType,
      newType,
      relation,
      isLossy,
      tensors: 0,
      values: 0,
      changed: 0,
      maxError: 0,
      lost: 0,
    };
    const found = figures.get(index);
    row.tensors += 1;
    row.values += found?.values ?? 0;
    row.changed += found?.changed ?? 0;
    row.maxError = Math.max(row.maxError, found?.maxError ?? 0);
    row.lost += found?.lostToOverflow ?? 0;
    rows.set(key, row);
  }
  return [...rows.values()];
}
