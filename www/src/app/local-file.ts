/** A local file, and its handle if the browser gives one. The file can be saved in place with the handle. */
export interface LocalFile {
  file: File;
  handle?: FileSystemFileHandle;
}
