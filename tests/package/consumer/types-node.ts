// Uses the API in a strict TypeScript program for Node.js, without the types of a browser. It is type-checked but not run.

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Gguf, GgufSet, type GgufSource, type OpenOptions, type WriteToOptions } from "gguf-wasm/full/node";
import * as init from "gguf-wasm/full/init";
import * as inline from "gguf-wasm/inline";
import * as main from "gguf-wasm/full";
import * as reader from "gguf-wasm/reader/node";

export async function openAll(path: string, signal: AbortSignal | undefined): Promise<Gguf[]> {
  // Options may be `undefined`, also with `exactOptionalPropertyTypes`.
  const limits = { headerBytes: undefined };
  const options: OpenOptions = { signal, headers: undefined, onProgress: undefined, fetch: undefined, limits };
  const handle = await open(path);
  const sources: GgufSource[] = [
    path,
    new URL(path),
    handle,
    createReadStream(path),
    await fetch(path),
    Buffer.from(path),
  ];
  const opened = [];
  for (const source of sources) opened.push(await Gguf.open(source, options));
  await handle.close();
  await reader.Gguf.open(path, { headers: { Authorization: "Bearer x" } });
  const set = await GgufSet.open(path, { signal });
  const writing: WriteToOptions = { overwrite: true, signal, onProgress: undefined };
  await set.merge({ splitKeys: undefined }).writeTo(new URL(path), writing);
  await opened[0]?.read("t", { start: undefined, end: undefined, as: undefined });
  const source: main.CustomSource = { size: undefined, read: async () => new Uint8Array() };
  opened.push(await Gguf.open(source));
  // @ts-expect-error: a number is not a source.
  await Gguf.open(5);
  // @ts-expect-error: a path is needed.
  await set.merge().writeTo();
  return opened;
}

export async function initialised(bytes: Uint8Array): Promise<number> {
  init.initSync(bytes);
  return (await init.init(new URL("file:///module.wasm"))).memory.buffer.byteLength;
}

export const all = [main.Gguf, inline.Gguf, reader.fileSource];
