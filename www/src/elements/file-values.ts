import type { TensorInfo, TensorPreview, TensorStatistics } from "gguf-wasm";
import type { ElementArray, Elements } from "../logic/value-messages.ts";
import { matrixOf } from "../logic/matrix.ts";
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
  readonly #tensors = new Map<number, TensorValues>();

  constructor(reader: ValueReader) {
    this.#reader = reader;
  }

  /** Whether what is read is downloaded. */
  get remote(): boolean {
    return this.#reader.remote;
  }

  of(info: TensorInfo): TensorValues {
    const tensor = info.index;
    let values = this.#tensors.get(tensor);
    if (!values) {
      const reader = this.#reader;
      const look = matrixOf(info).rows === 1 ? { ...LOOK, columns: VECTOR_COLUMNS } : LOOK;
      values = {
        preview: new Work((signal, onProgress) =>
          reader.ask({ kind: "preview", tensor, ...look }, { signal, onProgress }),
        ),
        glance: new Work((signal) =>
          this.#turns.take(signal, () => reader.ask({ kind: "preview", tensor, ...GLANCE }, { signal })),
        ),
        whole: new Work((signal, onProgress) => reader.ask({ kind: "statistics", tensor }, { signal, onProgress })),
      };
      this.#tensors.set(tensor, values);
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
