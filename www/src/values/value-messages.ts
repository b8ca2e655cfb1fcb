/** The messages between the page and the worker that reads values. */

import type { IndexRange, TensorPreview, TensorStatistics } from "gguf-wasm/full";
import type { DistributionRequest, ValueDistribution } from "./distribution.ts";

/** A source that can be sent to a worker. Streams and custom objects cannot. */
export type PostableSource = string | Blob | FileSystemHandle | ArrayBuffer | ArrayBufferView;

/** The array type that elements are read as. Integers and 64-bit floats do not fit into 32-bit floats. */
export type ElementArray = "float32" | "float64" | "bigint64";

export interface PreviewRequest {
  rows: number;
  columns: number;
  maxBytes: number;
  /** The elements to show, in whole rows. Absent: all. */
  start?: number;
  end?: number;
}

/** A request for values. It names a tensor by its index, because several tensors may have the same name. */
export type ValueRequest =
  | ({ kind: "preview"; tensor: number } & PreviewRequest)
  | { kind: "statistics"; tensor: number }
  | ({ kind: "distribution"; tensor: number; as: "float32" | "float64" } & DistributionRequest)
  | ({ kind: "read"; tensor: number; as: ElementArray } & IndexRange);

export type ElementValues = Float32Array | Float64Array | BigInt64Array;

export interface ValueResponses {
  preview: TensorPreview;
  statistics: TensorStatistics;
  /** Null if all finite numbers are equal. */
  distribution: ValueDistribution | null;
  read: ElementValues;
}

export type ValueResponse = ValueResponses[keyof ValueResponses];

/** A file that the worker opens. `file` is its number in questions. */
export interface FileToOpen {
  readonly file: number;
  readonly source: PostableSource;
  readonly headers: [string, string][];
  readonly header: Uint8Array;
  /** The compiled module. Undefined: the worker fetches it. */
  readonly module: WebAssembly.Module | undefined;
}

/** A request for values of a file that the worker has opened. */
export interface ValueQuestion {
  readonly file: number;
  readonly question: ValueRequest;
}
