import type { IndexRange, TensorInfo, TensorPreview, TensorStatistics } from "gguf-wasm";
import type { ElementArray, Elements } from "./value-messages.ts";
import { matrixOf } from "./matrix.ts";
import { Turns } from "./turns.ts";
import type { ValueReader } from "./value-reader.ts";
import { Work } from "./work.ts";

/** The size of a preview in cells, and the most bytes that it reads. */
export const LOOK = { rows: 64, columns: 64, maxBytes: 4 << 20 };
/** A vector has one row, so it may have more columns. */
const VECTOR_COLUMNS = 128;
/** The size of a thumbnail in the list of a block's tensors. */
const GLANCE = { rows: 32, columns: 32, maxBytes: 256 << 10 };
/** The most thumbnails that are read at the same time. */
const GLANCES = 2;

/** The values of one tensor as far as they have been read: a preview, a thumbnail, and the statistics of the whole tensor. */
export interface TensorValues {
  readonly preview: Work<TensorPreview>;
  readonly glance: Work<TensorPreview>;
  readonly whole: Work<TensorStatistics>;
}

/**
 * The values of an open file that have been read. They are kept while the file is open, because elements leave the document when their rows
 * are scrolled out of view.
 */
export class FileValues {
  readonly #reader: ValueReader;
  readonly #turns = new Turns(GLANCES);
  readonly #tensors = new Map<string, TensorValues>();
  /** The chosen slice of a tensor with more than two dimensions, by the index of the tensor. Absent: all slices. */
  readonly slices = new Map<number, readonly number[]>();

  constructor(reader: ValueReader) {
    this.#reader = reader;
  }

  /** Whether values are downloaded. */
  get remote(): boolean {
    return this.#reader.remote;
  }

  /** The values of a tensor, or of a range of its rows. */
  of(info: TensorInfo, rows?: IndexRange): TensorValues {
    const tensor = info.index;
    const key = rows === undefined ? String(tensor) : `${tensor} ${rows.start}`;
    let values = this.#tensors.get(key);
    if (!values) {
      const reader = this.#reader;
      const { rowLength, rows: allRows } = matrixOf(info);
      const range = rows && { start: rows.start * rowLength, end: rows.end * rowLength };
      const look = (rows ? rows.end - rows.start : allRows) === 1 ? { ...LOOK, columns: VECTOR_COLUMNS } : LOOK;
      values = {
        preview: new Work((signal, onProgress) =>
          reader.ask({ kind: "preview", tensor, ...look, ...range }, { signal, onProgress }),
        ),
        glance: new Work((signal) =>
          this.#turns.take(signal, () => reader.ask({ kind: "preview", tensor, ...GLANCE, ...range }, { signal })),
        ),
        whole: new Work(async (signal, onProgress) => {
          if (!range) return reader.ask({ kind: "statistics", tensor }, { signal, onProgress });
          // A preview without a limit reads all rows, and computes the same statistics.
          const all = { rows: 1, columns: 1, maxBytes: Number.MAX_SAFE_INTEGER, ...range };
          return (await reader.ask({ kind: "preview", tensor, ...all }, { signal, onProgress })).statistics;
        }),
      };
      this.#tensors.set(key, values);
    }
    return values;
  }

  read(
    tensor: TensorInfo,
    range: { start: number; end: number; as: ElementArray },
    signal: AbortSignal,
  ): Promise<Elements> {
    return this.#reader.ask({ kind: "read", tensor: tensor.index, ...range }, { signal });
  }

  /** Cancels all reads. */
  stop(): void {
    for (const { preview, glance, whole } of this.#tensors.values())
      for (const work of [preview, glance, whole]) work.cancel();
    this.#reader.stop();
  }
}
