import type { ReadProgress, TensorInfo } from "gguf-wasm/explain";
import type { IndexRange, TensorPreview, TensorStatistics } from "gguf-wasm/full";
import { groupSize, sampledElements, type ValueDistribution } from "./distribution.ts";
import type { ElementArray, ElementValues } from "./value-messages.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { LongTask, type TaskProgress } from "../ui/long-task.ts";
import { matrixOf } from "./matrix.ts";
import { shardFiles } from "./set-value-files.ts";
import { TaskLimiter } from "./task-limiter.ts";
import { ValueReader } from "./value-reader.ts";
import { singleFile } from "./value-files.ts";

/** The size of a preview in cells, and the most bytes that it reads. */
export const PREVIEW_LIMITS = { rows: 64, columns: 64, maxBytes: 4 << 20 };
/** A vector has one row, so it may have more columns. */
const VECTOR_COLUMNS = 128;
/** The size of a thumbnail in the list of a block's tensors. */
const THUMBNAIL_LIMITS = { rows: 32, columns: 32, maxBytes: 256 << 10 };
/** The most thumbnails that are read at the same time. */
const MAX_THUMBNAIL_READS = 2;

/** The values of one tensor as far as they have been read. */
export interface TensorValues {
  readonly preview: LongTask<TensorPreview>;
  readonly thumbnail: LongTask<TensorPreview>;
  /** The statistics of the whole tensor. */
  readonly statistics: LongTask<TensorStatistics>;
  /** The bins of the histogram for the elements of the preview. `null` if the numbers have no such bins. */
  readonly distribution: LongTask<ValueDistribution | null>;
  /** The bins for the whole tensor, which is read a second time. */
  readonly wholeDistribution: LongTask<ValueDistribution | null>;
}

/**
 * The values of an open file that have been read. They are kept while the file is open, because elements leave the document when their rows
 * are scrolled out of view.
 */
export class FileValues {
  readonly #reader: ValueReader;
  readonly #turns = new TaskLimiter(MAX_THUMBNAIL_READS);
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

  /** Whether the file ends before the first byte of a tensor's data. */
  isBeyondEnd(tensor: TensorInfo): boolean {
    return this.#reader.isBeyondEnd(tensor.index);
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
      const limits =
        (rows ? rows.end - rows.start : allRows) === 1
          ? { ...PREVIEW_LIMITS, columns: VECTOR_COLUMNS }
          : PREVIEW_LIMITS;
      const preview = new LongTask<TensorPreview>((signal, report) =>
        reader.request({ kind: "preview", tensor, ...limits, ...range }, { signal, onProgress: reporting(report) }),
      );
      const as = info.type === "F64" ? "float64" : "float32";
      const group = groupSize(info.type);
      const distribution = new LongTask<ValueDistribution | null>((signal) => {
        const sample = preview.value;
        if (!sample) throw new Error("the distribution needs the preview");
        const ranges = sampledElements(sample, info, reader.remote);
        return reader.request({ kind: "distribution", tensor, as, ranges, group }, { signal });
      });
      const whole = range ?? { start: 0, end: info.elementCount ?? 0 };
      values = {
        preview,
        distribution,
        wholeDistribution: new LongTask((signal) => {
          const frame = distribution.value?.frame;
          return reader.request({ kind: "distribution", tensor, as, ranges: [whole], group, frame }, { signal });
        }),
        thumbnail: new LongTask((signal) =>
          this.#turns.run(signal, () =>
            reader.request({ kind: "preview", tensor, ...THUMBNAIL_LIMITS, ...range }, { signal }),
          ),
        ),
        statistics: new LongTask(async (signal, report) => {
          const onProgress = reporting(report);
          if (!range) return reader.request({ kind: "statistics", tensor }, { signal, onProgress });
          // A preview without a limit reads all rows, and computes the same statistics.
          const all = { rows: 1, columns: 1, maxBytes: Number.MAX_SAFE_INTEGER, ...range };
          return (await reader.request({ kind: "preview", tensor, ...all }, { signal, onProgress })).statistics;
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
  ): Promise<ElementValues> {
    return this.#reader.request({ kind: "read", tensor: tensor.index, ...range }, { signal });
  }

  /** Cancels all reads. */
  stop(): void {
    for (const values of this.#tensors.values())
      for (const work of Object.values(values) as LongTask<unknown>[]) work.withdraw();
    this.#reader.stop();
  }
}

/** Reports the progress of a read as that of a task. */
function reporting(report: (progress: TaskProgress) => void) {
  return ({ bytesRead, totalBytes }: ReadProgress) => report({ done: bytesRead, total: totalBytes });
}

/** The values of a model. The HTTP headers are for the address that it was opened from. */
export function valuesOf({ gguf, set, sources }: OpenedModel, headers: HeadersInit | undefined): FileValues {
  const files = set ? shardFiles(set, sources) : singleFile(gguf, sources[0]);
  return new FileValues(new ValueReader(files, headers));
}
