// Reads the tensor "far" of the file whose path is the argument.
import { fileSource, Gguf } from "gguf-wasm/node";
import process from "node:process";

const source = await fileSource(String(process.argv.at(-1)));
const gguf = await Gguf.open(source);
const { fileOffset } = gguf.tensor("far") ?? {};
console.log(JSON.stringify([gguf.fileSize, fileOffset, new TextDecoder().decode(await gguf.readBytes("far"))]));
await source.close();
