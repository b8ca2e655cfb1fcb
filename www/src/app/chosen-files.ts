/** The files that a person chooses or drops. */

import { chooseFolder, filesIn, filesInEntry, filesOfField } from "./local-folder.ts";
import type { ChosenFile } from "./local-file.ts";

/** Lets a person choose files with handles: `null` if they cancel, `undefined` if the browser has no such file picker. */
export async function chooseFiles(): Promise<ChosenFile[] | null | undefined> {
  if (!window.showOpenFilePicker) return undefined;
  try {
    const handles = await window.showOpenFilePicker({ multiple: true });
    const chosen = handles.map(async (handle) => ({ file: await handle.getFile(), handle, folder: "" }));
    return handles.length > 0 ? await Promise.all(chosen) : null;
  } catch (error) {
    // In a frame of another origin, the browser has the picker but refuses to open it.
    return error instanceof DOMException && error.name === "SecurityError" ? undefined : null;
  }
}

/** Lets a person choose a folder, and returns the files of models in it; `null` if they cancel. */
export async function chooseFilesOfFolder(): Promise<ChosenFile[] | null> {
  const chosen = await chooseFolder();
  if (chosen !== undefined) return chosen;
  // The field stays outside of the document: no one has to find it there.
  const field = Object.assign(document.createElement("input"), { type: "file", webkitdirectory: true });
  return new Promise((resolve) => {
    field.onchange = () => resolve(field.files && filesOfField(field.files));
    field.oncancel = () => resolve(null);
    field.click();
  });
}

/** The dropped files, and the files of models in dropped folders. Must be called during the event, because its items are gone afterwards. */
export async function droppedFiles(items: readonly DataTransferItem[]): Promise<ChosenFile[]> {
  return (await Promise.all(items.map(filesOfItem))).flat();
}

async function filesOfItem(item: DataTransferItem): Promise<ChosenFile[]> {
  const file = item.getAsFile();
  const entry = item.webkitGetAsEntry();
  const handle = await item.getAsFileSystemHandle?.().catch(() => null);
  if (handle?.kind === "directory") return filesIn(handle as FileSystemDirectoryHandle);
  if (handle?.kind === "file") {
    const own = handle as FileSystemFileHandle;
    // If the file is gone, the dropped `File` is opened and reports the error.
    const current = await own.getFile().catch(() => undefined);
    if (current) return [{ file: current, handle: own, folder: "" }];
  }
  if (entry?.isDirectory) return filesInEntry(entry as FileSystemDirectoryEntry);
  return file ? [{ file, folder: "" }] : [];
}
