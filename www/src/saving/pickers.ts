/** The browser's pickers for saving, and its permission to write. */

const GGUF: FilePickerType = { description: "GGUF model", accept: { "application/octet-stream": [".gguf"] } };

const REFUSALS = new Set(["SecurityError", "NotAllowedError"]);

/** Lets the person choose a place for a new file. Undefined if they cancel, or if the browser has no such picker. */
export function pickSaveFile(
  suggestedName: string,
  type: FilePickerType = GGUF,
): Promise<FileSystemFileHandle | undefined> {
  return orCancelled(window.showSaveFilePicker?.({ suggestedName, types: [type] }));
}

/** Lets the person choose a folder to write into. Undefined if they cancel, or if the browser has no such picker. */
export function pickFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  return orCancelled(window.showDirectoryPicker?.({ mode: "readwrite" }));
}

/**
 * Asks for permission to write to a file or into a folder, unless it is given already.
 * @throws an error with the code `not-allowed`
 */
export async function allowWriting(handle: FileSystemHandle): Promise<void> {
  const state = (await orNotAllowed(handle.requestPermission?.({ mode: "readwrite" }))) ?? "granted";
  if (state !== "granted") throw notAllowed();
}

async function orCancelled<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await orNotAllowed(asked);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  }
}

/** The result of a question of the browser. If the browser refuses to ask, throws an error with the code `not-allowed`. */
async function orNotAllowed<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    // Browsers refuse to ask in a frame of another origin, or too long after the last click.
    throw error instanceof DOMException && REFUSALS.has(error.name) ? notAllowed() : error;
  }
}

function notAllowed(): Error {
  return Object.assign(new Error("the page was not allowed to write to this file"), {
    name: "GgufError",
    code: "not-allowed",
  });
}
