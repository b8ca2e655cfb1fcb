// Uses the API of `gguf-wasm/sha` in a strict TypeScript program. It is type-checked but not run.

import { createHash, type GgufError, type Hash } from "gguf-wasm/sha";
import { init } from "gguf-wasm/sha/init";
import { started } from "gguf-wasm/sha/load";
import * as node from "gguf-wasm/sha/node";

export async function digest(parts: readonly (Uint8Array | ArrayBuffer)[]): Promise<Uint8Array<ArrayBuffer>> {
  await init();
  await started;
  const hash: Hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  // @ts-expect-error: another algorithm.
  node.createHash("md5");
  // @ts-expect-error: a text has no bytes.
  node.createHash("sha1").update("text");
  return hash.digest();
}

export const isFreed = ({ code }: GgufError) => code === "freed";
