// The variables of the page or the program that the examples of the documentation use without declaring them.

import type * as api from "gguf-wasm/full";
import type * as convert from "gguf-wasm/convert";
import type * as models from "gguf-wasm/models";

declare global {
  const gguf: api.Gguf;
  const a: api.Gguf;
  const b: api.Gguf;
  const oldModel: api.Gguf;
  const newModel: api.Gguf;
  const projector: api.Gguf;
  const set: api.GgufSet;
  const editor: api.Editor;
  const writer: api.GgufWriter;
  const plan: api.EditPlan & Pick<convert.MigrationPlan, "exactness">;
  const model: convert.LegacyModel;
  const hubModel: models.HubModel;
  const merged: models.MergedModel;
  const conversion: convert.ConversionPlan;
  const comparison: api.Comparison;
  const tokenizer: api.Tokenizer;
  const entry: api.MetadataEntry;
  const array: api.MetadataArray;
  const npy: api.NpyFile;
  const header: Uint8Array<ArrayBuffer>;
  const data: Uint8Array<ArrayBuffer>;

  const url: string;
  const oldUrl: string;
  const newUrl: string;
  const text: string;
  const template: string;
  const expected: string;
  const start: number;
  const end: number;
  const file: File;
  const imatrixFile: File;
  const modelFile: File;
  const adapterFile: File;
  const adapterFiles: File[];
  const files: File[];
  const fileInput: { files: [File, ...File[]] };
  const fileHandle: FileSystemFileHandle;
  const handleOfFirstShard: FileSystemFileHandle;
  const folder: FileSystemDirectoryHandle;
  const handle: import("node:fs/promises").FileHandle & FileSystemFileHandle;
  const writable: WritableStream;
  const worker: Worker;
  const link: HTMLAnchorElement;
  const signal: AbortSignal;

  function onProgress(progress: object): void;
  function show(rows: readonly object[]): void;
  function compute(): Promise<Float32Array<ArrayBuffer>>;
  function writeData(offset: number): Promise<number>;
  function writeFile(path: string, data: string): Promise<void>;
  function showOpenFilePicker(): Promise<[FileSystemFileHandle]>;
  function showSaveFilePicker(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}
