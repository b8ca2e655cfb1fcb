// Streams of an edited Blob beside streams of that Blob, in turns; in Node.js and in Chromium.

/**
 * @typedef {object} Turn in megabytes a second
 * @property {number} copy the Blob, as it is
 * @property {number} blob `plan.toBlob`, read as the Blob is
 * @property {number} stream `plan.stream`
 */

/** An edit that moves the data. @param {import("gguf-wasm").Gguf} gguf */
export function planned(gguf) {
  const editor = gguf.edit();
  editor.set("general.architecture", "an architecture with a longer name");
  editor.setElement("tokenizer.ggml.tokens", 100_000, "a longer token");
  return editor.plan();
}

/** How fast a stream brings so many bytes. @param {ReadableStream<Uint8Array>} stream @param {number} size */
export async function speed(stream, size) {
  const start = performance.now();
  let bytes = 0;
  for (let reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
  }
  if (bytes !== size) throw new Error(`${bytes} bytes of ${size}`);
  return bytes / 1000 / (performance.now() - start);
}

/**
 * Each stream once, in another order each time, and before that once unmeasured.
 *
 * @param {typeof import("gguf-wasm").Gguf} Gguf
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
