// Measures streams of an edited Blob in turns with streams of the unchanged Blob. Runs in Node.js and in Chromium.

/**
 * @typedef {object} Turn speeds in megabytes per second
 * @property {number} copy the unchanged Blob
 * @property {number} blob the Blob of `plan.toBlob`
 * @property {number} stream `plan.stream`
 */

/** Plans an edit that moves the tensor data. @param {import("gguf-wasm/full").Gguf} gguf */
export function planned(gguf) {
  const editor = gguf.edit();
  editor.set("general.architecture", "an architecture with a longer name");
  editor.setElement("tokenizer.ggml.tokens", 100_000, "a longer token");
  return editor.plan();
}

/**
 * Reads a stream to its end and returns the speed in megabytes per second.
 *
 * @param {ReadableStream<Uint8Array>} stream
 * @param {number} size the expected length in bytes
 */
export async function speed(stream, size) {
  const start = performance.now();
  let bytes = 0;
  for (let reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
  }
  if (bytes !== size) throw new Error(`the stream ended after ${bytes} bytes, expected ${size}`);
  return bytes / 1000 / (performance.now() - start);
}

/**
 * Measures each stream once per round, in a rotating order. The first round only warms up and is not counted.
 *
 * @param {typeof import("gguf-wasm/full").Gguf} Gguf
 * @param {Blob} blob
 * @param {number} rounds
 */
export async function turns(Gguf, blob, rounds) {
  const plan = planned(await Gguf.open(blob));
  /** @type {Record<keyof Turn, () => Promise<number>>} */
  const contenders = {
    copy: () => speed(blob.stream(), blob.size),
    blob: () => speed(plan.toBlob(blob).stream(), plan.size),
    stream: () => speed(plan.stream(), plan.size),
  };
  const names = /** @type {(keyof Turn)[]} */ (Object.keys(contenders));
  /** @type {Turn[]} */
  const measured = [];
  for (let round = -1; round < rounds; round++) {
    const turn = { copy: NaN, blob: NaN, stream: NaN };
    for (let index = 0; index < names.length; index++) {
      const name = names[(index + round + 1) % names.length] ?? "copy";
      turn[name] = await contenders[name]();
    }
    if (round >= 0) measured.push(turn);
  }
  return measured;
}
