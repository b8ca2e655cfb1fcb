/** A file of this device, and where it can be written to if the browser lets that be known. */
export interface Chosen {
  file: File;
  handle?: FileSystemFileHandle;
}

/**
 * Lets a person choose a file in a way that it can be saved again: `null` if they chose none, `undefined` where the browser has no such way.
 */
export async function chooseFile(): Promise<Chosen | null | undefined> {
  if (!window.showOpenFilePicker) return undefined;
  try {
    const [handle] = await window.showOpenFilePicker();
    return handle ? { file: await handle.getFile(), handle } : null;
  } catch (error) {
    // In a frame of another origin it is there and refuses.
    return error instanceof DOMException && error.name === "SecurityError" ? undefined : null;
  }
}

/** What is dropped, as a file; to be called while the drop is told, because its items are gone afterwards. */
export async function droppedFile(item: DataTransferItem): Promise<Chosen | undefined> {
  const file = item.getAsFile();
  const handle = await item.getAsFileSystemHandle?.().catch(() => null);
  if (handle?.kind === "file") {
    const own = handle as FileSystemFileHandle;
    // What is gone by now is opened as what was dropped, which says so.
    const current = await own.getFile().catch(() => undefined);
    if (current) return { file: current, handle: own };
  }
  return file ? { file } : undefined;
}
