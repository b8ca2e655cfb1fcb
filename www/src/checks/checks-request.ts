import type { Finding } from "gguf-wasm";
import type { HeaderFacts } from "../gguf/shown-file.ts";

/** What the worker that checks a file is asked for. */
export interface ChecksRequest {
  /** The header of the file. */
  readonly header: Uint8Array<ArrayBuffer>;
  /** The size of the file, which the checks compare with the header. Undefined if it is not known. */
  readonly size: number | undefined;
  /** The name of the file; "" if it is not known. */
  readonly fileName: string;
}

/** The response of the worker. */
export interface CheckedHeader {
  readonly findings: readonly Finding[];
  readonly facts: HeaderFacts;
}
