/** A `FileHandle` of `node:fs/promises`. The caller closes it. */
export interface NodeFileHandle {
  readonly fd: number;
  stat(...args: never): Promise<unknown>;
}

/** A `Readable` of `node:stream`, with chunks of bytes. */
export interface NodeStream extends AsyncIterable<unknown> {
  pipe(...args: never): unknown;
  destroy(error?: Error): unknown;
}

/** What the module calls to open and write local files. */
export declare const localFiles: {
  /** The absolute path, if a source is a path or a `file:` URL. */
  pathOf(source: unknown): string | undefined;
  /** A source that the module can read, if `source` is a local file or a stream of Node.js. */
  open(source: unknown): unknown;
  /** The files of a folder, and of the folders in it: paths in the folder with forward slashes, and absolute paths. */
  filesOf(folder: string): Promise<[string, string][]>;
  /**
   * Writes a file that appears at `path` when it is complete. The files of `sources` must be unchanged then. The files of `kept` are
   * not replaced, even with `overwrite`.
   */
  write(
    path: unknown,
    chunks: AsyncIterable<Uint8Array>,
    options: { overwrite: boolean; sources: readonly unknown[]; kept?: readonly unknown[]; signal?: AbortSignal },
  ): Promise<void>;
};
