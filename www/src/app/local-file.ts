/** A local file, and its handle if the browser gives one. The file can be saved in place with the handle. */
export interface LocalFile {
  file: File;
  handle?: FileSystemFileHandle;
}

/** A file that was chosen, and the folder that it is in: "" if it was chosen alone. */
export interface ChosenFile extends LocalFile {
  readonly folder: string;
}
