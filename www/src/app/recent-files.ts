import type { LocalFile } from "./local-file.ts";

/** A local file that was opened before and can be opened again. Only some browsers store handles of files. */
export interface RecentFile {
  id: number;
  name: string;
  handle: FileSystemFileHandle;
}

/** Why a file could not be opened again. */
export type ReopenFailure = "denied" | "gone";

/** The most files in the list. */
const MAX_FILES = 8;
const DATABASE = "gguf-viewer";
const STORE = "files";

/** The files that were opened last, the newest first. Empty if the browser does not store handles. */
export async function readRecentFiles(): Promise<RecentFile[]> {
  if (typeof FileSystemFileHandle !== "function") return [];
  try {
    const files = (await withStore("readonly", (store) => store.getAll())) as Partial<RecentFile>[];
    return files.filter(isRecentFile).reverse();
  } catch {
    // The settings of the browser may forbid storage.
    return [];
  }
}

/** Puts a file at the top of the list. */
export async function rememberFile({ file, handle }: LocalFile): Promise<void> {
  if (!handle) return;
  try {
    const before = await readRecentFiles();
    const same = await Promise.all(before.map((kept) => kept.handle.isSameEntry(handle).catch(() => false)));
    const others = before.filter((_kept, at) => !same[at]);
    const dropped = [...before.filter((_kept, at) => same[at]), ...others.slice(MAX_FILES - 1)];
    await withStore("readwrite", (store) => {
      for (const { id } of dropped) store.delete(id);
      return store.add({ name: file.name, handle });
    });
  } catch {
    // Nothing is stored without storage, or for a handle that cannot be stored.
  }
}

/** Removes a file from the list. */
export async function forgetFile(id: number): Promise<void> {
  await withStore("readwrite", (store) => store.delete(id)).catch(() => undefined);
}

/** Opens a file again. The browser may ask for permission, so this must be called after a click or a key press. */
export async function reopenFile({ handle }: RecentFile): Promise<LocalFile | ReopenFailure> {
  const granted = async (ask: FileSystemHandle["queryPermission"]) =>
    ask === undefined || (await ask.call(handle, { mode: "read" }).catch(() => "denied")) === "granted";
  if (!(await granted(handle.queryPermission)) && !(await granted(handle.requestPermission))) return "denied";
  try {
    return { file: await handle.getFile(), handle };
  } catch (error) {
    return error instanceof DOMException && error.name === "NotAllowedError" ? "denied" : "gone";
  }
}

/** The message for a file that could not be opened again. */
export function reopenMessage(name: string, why: ReopenFailure): string {
  return why === "gone"
    ? `${name} was not found. It may have been moved, renamed or deleted. Choose it again, or remove it from this list.`
    : `The browser did not allow this page to read ${name}. Open it again and allow it, or choose the file.`;
}

function isRecentFile(file: Partial<RecentFile>): file is RecentFile {
  return typeof file.id === "number" && typeof file.name === "string" && file.handle instanceof FileSystemFileHandle;
}

async function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = use(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("not stored"));
    });
    return request.result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id", autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error ?? new Error("the database is in use"));
  });
}
