// `gguf-wasm merge` of raw parts: the file that was cut into pieces, byte for byte.

import { bytesOf } from "../common/byte-sources.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { aboutFile } from "./errors.js";
import { missingBytes } from "./missing-bytes.js";
import { newFileText } from "./new-file-checks.js";
import { currentProgress, note } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { serverOf } from "./hub.js";
import { openRawFile } from "./source.js";
import { exactSize } from "./text.js";

/** @import { RangeSource } from "../common/byte-sources.js" */
/** @import { Arguments } from "./arguments.js" */

/** The bytes that are copied at once. */
const PIECE = 8 << 20;

/**
 * @param {Arguments} args
 * @param {string} name The path or the URL of any part.
 * @param {string} output
 */
export async function mergeParts(args, name, output) {
  const { gguf, source, close } = await openRawFile(name, args);
  try {
    const findings = gguf.validate();
    const result = { file: name, output: null, written: [], findings };
    if (missingBytes(gguf) !== 0) {
      const text = safe`${name}: nothing was written: the last parts are missing, because the joined file would end before the end of its data. Put all parts into one folder.\n`;
      await printResult(args, result, () => text);
      return ANSWER_IS_NO;
    }
    const loads = gguf.loads();
    if (!args.flag("json")) note(newFileText(name, { findings, loads }));
    const file = await OutputFile.at(output, { mayReplace: args.flag("force") });
    const { size = 0 } = source;
    const isDry = args.flag("dry-run");
    if (!isDry) {
      const progress = currentProgress(`Joining into ${output}`, serverOf(name));
      const contents = { stream: () => streamOf(source, size) };
      await aboutFile(name, () => file.write(contents, (bytes) => progress.update(bytes, size))).finally(() =>
        progress.clear(),
      );
      await close();
      file.moveIntoPlace();
    }
    const done = { ...result, written: isDry ? [] : [output], output: isDry ? null : output, size, loads };
    await printResult(args, done, () =>
      isDry
        ? safe`Nothing was written. ${output} would have ${exactSize(size)}.\n`
        : safe`${output}: raw parts joined, ${exactSize(size)}\n`,
    );
    return DONE;
  } finally {
    await close();
  }
}

/**
 * The bytes of a source, in pieces.
 *
 * @param {RangeSource} source
 * @param {number} size
 * @returns {ReadableStream<Uint8Array>}
 */
function streamOf(source, size) {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= size) return controller.close();
        const bytes = await bytesOf(source, at, Math.min(at + PIECE, size));
        at += bytes.length;
        controller.enqueue(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}
