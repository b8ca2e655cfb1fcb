/** The worker: opens the files of the page with the headers that the page has read, and reads values for requests. */

import type { Gguf } from "gguf-wasm";
import { failureOf } from "../gguf/failure.ts";
import type { ValueResponse, FromWorker, ToWorker } from "./value-messages.ts";
import { readValues } from "./read-values.ts";
import { loadLibrary } from "../gguf/library.ts";

/** The part of a worker's global scope that is used here. TypeScript's libraries for pages and workers exclude each other. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

/** The number of retries, as for opening: a person is waiting. */
const RETRIES = 3;

const scope = self as unknown as WorkerScope;
const running = new Map<number, AbortController>();
/** The files of the model, by their numbers. */
const files = new Map<number, Promise<Gguf>>();

scope.onmessage = ({ data }) => {
  switch (data.type) {
    case "open":
      void open(data);
      break;
    case "ask":
      void reply(data);
      break;
    case "cancel":
      running.get(data.id)?.abort();
      break;
    default:
      data satisfies never;
  }
};

async function open({ file, source, headers, header }: Extract<ToWorker, { type: "open" }>): Promise<void> {
  try {
    const opening = loadLibrary().then(({ Gguf }) =>
      Gguf.open(source as string, { header, retries: RETRIES, ...(headers.length > 0 ? { headers } : {}) }),
    );
    files.set(file, opening);
    await opening;
    scope.postMessage({ type: "opened", file });
  } catch (error) {
    scope.postMessage({ type: "closed", file, failure: failureOf(error) });
  }
}

async function reply({ id, file, question }: Extract<ToWorker, { type: "ask" }>): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const gguf = await files.get(file);
    if (!gguf) throw new Error("no file is open");
    const found = await readValues(gguf, question, {
      signal: abort.signal,
      onProgress: (progress) => scope.postMessage({ type: "progress", id, progress: { ...progress } }),
    });
    if (!abort.signal.aborted) scope.postMessage({ type: "answer", id, answer: found }, buffersOf(found));
  } catch (error) {
    // A cancelled request expects no response.
    if (!abort.signal.aborted) scope.postMessage({ type: "failure", id, failure: failureOf(error) });
  } finally {
    running.delete(id);
  }
}

/** The buffers of a response. They are transferred, not copied. */
function buffersOf(found: ValueResponse): Transferable[] {
  if (ArrayBuffer.isView(found)) return [found.buffer as ArrayBuffer];
  if ("mean" in found && found.mean instanceof Float32Array && "max" in found)
    return [
      ...new Set([found.mean, found.min, found.max].map((cells) => (cells as Float32Array).buffer as ArrayBuffer)),
    ];
  return [];
}
