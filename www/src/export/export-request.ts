/** What the worker that writes exports is asked for. Its response is the content of the file. */
export interface ExportRequest {
  /** The header of the file. */
  readonly header: Uint8Array<ArrayBuffer>;
  readonly fileName: string;
  /** The title of the kind of export. */
  readonly title: string;
}
