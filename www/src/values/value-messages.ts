/** What the page and the worker that reads values for it say to each other. */

import type { IndexRange, ReadProgress, TensorPreview, TensorStatistics } from "gguf-wasm";
import type { Failure } from "../gguf/failure.ts";

/** Where a worker can read a file, too. Streams and objects of a program's own stay where they are. */
export type PostableSource = string | Blob | FileSystemHandle | ArrayBuffer | ArrayBufferView;

/** As what elements are read: integers and 64-bit floats do not all have a 32-bit float of their own. */
export type ElementArray = "float32" | "float64" | "bigint64";

export interface PreviewWish {
  rows: number;
  columns: number;
  maxBytes: number;
  /** The elements to show, whole rows; all if they are absent. */
  start?: number;
  end?: number;
}

/** What can be asked; a tensor is named by its place in the file's list, because names may occur twice. */
export type Question =
  | ({ kind: "preview"; tensor: number } & PreviewWish)
  | { kind: "statistics"; tensor: number }
  | ({ kind: "read"; tensor: number; as: ElementArray } & IndexRange);

export type Elements = Float32Array | Float64Array | BigInt64Array;

export interface Answers {
  preview: TensorPreview;
  statistics: TensorStatistics;
  read: Elements;
}

export type Answer = Answers[keyof Answers];

export type ToWorker =
  /** First of all, once: which file. */
  | { type: "open"; source: PostableSource; headers: [string, string][]; header: Uint8Array }
  | { type: "ask"; id: number; question: Question }
  | { type: "cancel"; id: number };

export type FromWorker =
  | { type: "opened" }
  | { type: "closed"; failure: Failure }
  | { type: "progress"; id: number; progress: ReadProgress }
  | { type: "answer"; id: number; answer: Answer }
  | { type: "failure"; id: number; failure: Failure };
