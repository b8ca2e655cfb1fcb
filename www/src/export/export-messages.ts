/** The messages between the page and the worker that writes exports. */

import type { Failure } from "../gguf/failure.ts";

export interface ExportRequest {
  /** The header of the file. */
  readonly header: Uint8Array<ArrayBuffer>;
  readonly fileName: string;
  /** The title of the kind of export. */
  readonly title: string;
}

/** What the worker sends: that it has started, and the response. */
export type FromExportWorker = "ready" | { readonly written: Blob } | { readonly failure: Failure };
