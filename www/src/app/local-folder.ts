/** The files of a folder that a person chose or dropped. */

import { rawPart } from "gguf-wasm/common/raw-parts.js";
import type { ChosenFile } from "./local-file.ts";
import { isModelFile } from "./model-folders.ts";

/** How deep folders in the folder are searched. */
const MAX_DEPTH = 3;
/** The most files that are looked at. */
const MAX_FILES = 5000;

/** Lets a person choose a folder: `null` if they cancel, `undefined` if the browser has no such picker. */
export async function chooseFolder(): Promise<ChosenFile[] | null | undefined> {
  if (!window.showDirectoryPicker) return undefined;
  let folder: FileSystemDirectoryHandle;
  try {
    folder = await window.showDirectoryPicker({ mode: "read" });
  } catch (error) {
    // In a frame of another origin, the browser has the picker but refuses to open it.
    return error instanceof DOMException && error.name === "SecurityError" ? undefined : null;
  }
  return filesIn(folder);
}

/** The files of models in a folder and in the folders in it. */
export async function filesIn(folder: FileSystemDirectoryHandle): Promise<ChosenFile[]> {
  const found: ChosenFile[] = [];
  let seen = 0;
  const visit = async (current: FileSystemDirectoryHandle, path: string, depth: number): Promise<void> => {
    for await (const [name, handle] of current.entries()) {
      seen += 1;
      if (seen > MAX_FILES) return;
      if (handle.kind === "directory") {
        if (depth < MAX_DEPTH) await visit(handle as FileSystemDirectoryHandle, `${path}/${name}`, depth + 1);
      } else if (isWanted(name)) {
        const own = handle as FileSystemFileHandle;
        found.push({ file: await own.getFile(), handle: own, folder: path });
      }
    }
  };
  await visit(folder, folder.name, 0);
  return found;
}

/** The files of models in a dropped folder, in browsers without handles. */
export async function filesInEntry(folder: FileSystemDirectoryEntry): Promise<ChosenFile[]> {
  const found: ChosenFile[] = [];
  let seen = 0;
  const visit = async (current: FileSystemDirectoryEntry, depth: number): Promise<void> => {
    const reader = current.createReader();
    // A reader returns the entries in parts, and an empty part at the end.
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) return;
      for (const entry of part) {
        seen += 1;
        if (seen > MAX_FILES) return;
        if (entry.isDirectory) {
          if (depth < MAX_DEPTH) await visit(entry as FileSystemDirectoryEntry, depth + 1);
        } else if (isWanted(entry.name)) {
          const file = await new Promise<File>((resolve, reject) =>
            (entry as FileSystemFileEntry).file(resolve, reject),
          );
          found.push({ file, folder: current.fullPath || current.name });
        }
      }
    }
  };
  await visit(folder, 0);
  return found;
}

/** The files of models of a field that takes a folder (`webkitdirectory`). */
export function filesOfField(files: FileList): ChosenFile[] {
  return [...files]
    .filter(({ name, webkitRelativePath }) => isWanted(name) && webkitRelativePath.split("/").length <= MAX_DEPTH + 2)
    .map((file) => ({ file, folder: file.webkitRelativePath.split("/").slice(0, -1).join("/") || "folder" }));
}

function isWanted(name: string): boolean {
  return /\.gguf$/i.test(name) || rawPart(name) !== undefined || isModelFile(name);
}
