/** A local file, and its handle if the browser gives one. The file can be saved in place with the handle. */
export interface LocalFile {
  file: File;
  handle?: FileSystemFileHandle;
}

/** Lets a person choose a file with a handle: `null` if they cancel, `undefined` if the browser has no such file picker. */
export async function chooseFile(): Promise<LocalFile | null | undefined> {
  if (!window.showOpenFilePicker) return undefined;
  try {
    const [handle] = await window.showOpenFilePicker();
    return handle ? { file: await handle.getFile(), handle } : null;
  } catch (error) {
    // In a frame of another origin, the browser has the picker but refuses to open it.
    return error instanceof DOMException && error.name === "SecurityError" ? undefined : null;
  }
}

/** The dropped file. Must be called during the event, because its items are gone afterwards. */
export async function droppedFile(item: DataTransferItem): Promise<LocalFile | undefined> {
  const file = item.getAsFile();
  const handle = await item.getAsFileSystemHandle?.().catch(() => null);
  if (handle?.kind === "file") {
    const own = handle as FileSystemFileHandle;
    // If the file is gone, the dropped `File` is opened and reports the error.
    const current = await own.getFile().catch(() => undefined);
    if (current) return { file: current, handle: own };
  }
  return file ? { file } : undefined;
}
