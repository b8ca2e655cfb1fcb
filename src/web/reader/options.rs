//! The types of the options of `Gguf.open` and `readBytes`.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** What `Gguf.open` takes besides the source. */
export interface OpenOptions {
  /** Aborts the opening: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Is called for every chunk of the header that has arrived. */
  onProgress?: (progress: OpenProgress) => void;
  /** Headers of HTTP requests: a token for a gated model. They go to the origin of the given URL only. */
  headers?: ConstructorParameters<typeof Headers>[0];
  /** Is used instead of the global `fetch`. With `headers` it is asked not to follow redirects. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Whether a server that cannot be reached gets one more request in the mode `no-cors`, to find out whether CORS is the
   * reason (code `cors`). Only browsers have CORS. By default true without `fetch`, and false with it.
   */
  probeCors?: boolean;
  /** How often in a row a request may fail before 16 KiB have arrived, by default 4 times. */
  retries?: number;
  /** Milliseconds that the server may be silent before the request counts as failed, by default 30,000. */
  timeout?: number;
  /** Milliseconds that one response may take, even if bytes continue to arrive, by default 600,000. */
  responseTimeout?: number;
  /** How much the file may ask for. */
  limits?: Limits;
  /** The header, from `headerBytes()` of a `Gguf` of the same file. It is then not read again. */
  header?: Uint8Array;
}

/** Which elements of a tensor are read. */
export interface ReadOptions {
  /** The first element; 0 by default. */
  start?: number;
  /** The element after the last; the number of elements by default. */
  end?: number;
  /** Aborts the reading: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "OpenOptions")]
    pub type OpenOptions;
    #[wasm_bindgen(typescript_type = "ReadOptions")]
    pub type ReadOptions;
}
