/** The messages between the page and the worker that reads values. */

import type { IndexRange, ReadProgress, TensorPreview, TensorStatistics } from "gguf-wasm";
import type { Failure } from "../gguf/failure.ts";

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
  | ({ kind: "read"; tensor: number; as: ElementArray } & IndexRange);

export type ElementValues = Float32Array | Float64Array | BigInt64Array;

export interface ValueResponses {
  preview: TensorPreview;
  statistics: TensorStatistics;
  read: ElementValues;
}

export type ValueResponse = ValueResponses[keyof ValueResponses];

export type ToWorker =
  /** A file to open. `file` is its number in later messages. The first message is of this type. */
  | { type: "open"; file: number; source: PostableSource; headers: [string, string][]; header: Uint8Array }
  | { type: "ask"; id: number; file: number; question: ValueRequest }
  | { type: "cancel"; id: number };

export type FromWorker =
  | { type: "opened"; file: number }
  | { type: "closed"; file: number; failure: Failure }
  | { type: "progress"; id: number; progress: ReadProgress }
  | { type: "answer"; id: number; answer: ValueResponse }
  | { type: "failure"; id: number; failure: Failure };
