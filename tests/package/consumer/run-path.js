// Opens the sample by its path, as a FileHandle and as a stream, and writes a copy of it beside it.
import * as api from "gguf-wasm/node";
import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { check } from "./check.js";

const path = String(process.argv.at(-1));
const { Gguf } = api;
const handle = await open(path);
for (const source of [pathToFileURL(path), pathToFileURL(path).href, handle, createReadStream(path)]) {
  const gguf = await Gguf.open(source);
  if (gguf.metadata.get("general.name") !== "gguf-wasm sample") throw new Error("another model");
}
await handle.close();
const gguf = await Gguf.open(path);
if ("EditPlan" in api) {
  const copy = `${path}.${process.pid}.copy`;
  await gguf.edit().plan().writeTo(copy);
  if ((await Gguf.open(copy)).fileSize !== gguf.fileSize) throw new Error("the copy has another size");
  await rm(copy);
}
console.log(await check(api, path));
