import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

const F32 = 0;

/** A tensor and its data. */
export interface Made {
  name: string;
  dimensions: number[];
  type: number;
  data: Uint8Array;
}

/** A file that contains these tensors and their data. */
export function fileOf(...made: Made[]): Uint8Array<ArrayBuffer> {
  return fileWith([["general.architecture", text("llama")]], made);
}

/** A file that contains these entries and tensors. */
export function fileWith(entries: Parameters<typeof ggufBytes>[0], made: readonly Made[]): Uint8Array<ArrayBuffer> {
  const data = ggufBytes(
    entries,
    made.map(({ data: { length: bytes }, ...tensor }) => ({ ...tensor, bytes })),
  );
  let at = data.length;
  for (const tensor of made.toReversed()) {
    at -= Math.ceil(tensor.data.length / 32) * 32;
    data.set(tensor.data, at);
  }
  return data;
}

/** A matrix of 32-bit floats. */
export function matrix(name: string, columns: number, rows: number, at: (row: number, column: number) => number): Made {
  return stack(name, [columns, rows], ([column = 0, row = 0]) => at(row, column));
}

/** A tensor of 32-bit floats. `value` gets the index in each dimension, fastest first. */
export function stack(name: string, dimensions: number[], at: (index: readonly number[]) => number): Made {
  const values = new Float32Array(dimensions.reduce((product, size) => product * size, 1));
  const index = dimensions.map(() => 0);
  for (let i = 0; i < values.length; i += 1) {
    values[i] = at(index);
    for (let dimension = 0; dimension < index.length; dimension += 1) {
      index[dimension] = ((index[dimension] ?? 0) + 1) % (dimensions[dimension] ?? 1);
      if (index[dimension] !== 0) break;
    }
  }
  return { name, dimensions, type: F32, data: new Uint8Array(values.buffer) };
}
