import type { IndexRange, TensorInfo, TensorPreview, TensorStatistics } from "gguf-wasm";
import type { ElementArray, Elements } from "./value-messages.ts";
import { matrixOf } from "./matrix.ts";
import { Turns } from "./turns.ts";
import type { ValueReader } from "./value-reader.ts";
import { Work } from "./work.ts";

/** Bytes that a look at a tensor may read, and the cells that it is shown in. */
export const LOOK = { rows: 64, columns: 64, maxBytes: 4 << 20 };
/** A vector has all the columns for itself. */
const VECTOR_COLUMNS = 128;
/** The same for one of the small pictures of a block. */
const GLANCE = { rows: 32, columns: 32, maxBytes: 256 << 10 };
/** Small pictures that are read at once. */
const GLANCES = 2;

/** What has been read of one tensor: a look, a small one, and the figures of the whole. */
export interface TensorValues {
  readonly preview: Work<TensorPreview>;
  readonly glance: Work<TensorPreview>;
  readonly whole: Work<TensorStatistics>;
}

/** What has been read of the values of an open file: kept while it is open, because rows leave the page when they are scrolled away. */
export class FileValues {
  readonly #reader: ValueReader;
  readonly #turns = new Turns(GLANCES);
  readonly #tensors = new Map<string, TensorValues>();
  /** The slice that is chosen of a tensor of more than two dimensions, by the tensor's place; absent for all slices. */
  readonly slices = new Map<number, readonly number[]>();

  constructor(reader: ValueReader) {
    this.#reader = reader;
  }

  /** Whether what is read is downloaded. */
  get remote(): boolean {
    return this.#reader.remote;
  }

  /** What has been read of a tensor, or of some rows of it. */
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
          // A preview without a limit reads all rows, and computes the same figures.
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

  /** Gives up all that runs. */
  stop(): void {
    for (const { preview, glance, whole } of this.#tensors.values())
      for (const work of [preview, glance, whole]) work.cancel();
    this.#reader.stop();
  }
}
