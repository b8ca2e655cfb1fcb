// What a worker does: it starts the module that its page has compiled, and then runs one job after the other.

import { initSync, runJob } from "./gguf_wasm_convert.js";

/** @typedef {{ message: string, code?: string, offset?: number }} PostedError the parts of an error that every host can post */

/**
 * The answer to a message of the page.
 *
 * @param {{ module?: object, targetTypes?: readonly number[] }} data The compiled module, or a job. A job with several target types only
 * measures their errors.
 * @returns {{ message: { isReady?: true, outcome?: object, error?: PostedError }, transfer: ArrayBuffer[] }}
 */
export function answerTo(data) {
  if (data.module) {
    initSync(data.module);
    return { message: { isReady: true }, transfer: [] };
  }
  try {
    if (data.targetTypes) {
      const outcomes = data.targetTypes.map((targetType) => ({ ...runJob({ ...data, targetType }), bytes: undefined }));
      return { message: { outcome: { outcomes } }, transfer: [] };
    }
    const outcome = runJob(data);
    return { message: { outcome }, transfer: outcome.bytes ? [outcome.bytes.buffer] : [] };
  } catch (error) {
    const { name, message, code, offset } = /** @type {PostedError & { name: string }} */ (Object(error));
    const isOwn = name === "GgufError" && code !== "internal";
    return {
      message: { error: { message: String(message ?? error), ...(isOwn && { code, offset }) } },
      transfer: [],
    };
  }
}
