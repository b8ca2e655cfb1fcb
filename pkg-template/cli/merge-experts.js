// `gguf-wasm merge --experts`: one tensor for all experts, instead of one for each.

import { DONE } from "./exit-codes.js";
import { UsageError, aboutFile } from "./errors.js";
import { serverOf } from "./hub.js";
import { checkSource, newFileText } from "./new-file-checks.js";
import { currentProgress, note } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { openFile, requireRanges } from "./source.js";
import { exactSize } from "./text.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function mergeExperts(args) {
  const [name = "", output = "", ...more] = args.positionals;
  if (more.length > 0) throw new UsageError("With --experts, there are two arguments: the file and the new file.");
  args.refuseTogether("experts", "llama-cpp-keys");
  const file = await openFile(name, args);
  try {
    requireRanges(file);
    const plan = await aboutFile(name, () => file.gguf.joinExperts());
    const checks = await checkSource(plan);
    if (!args.flag("json")) note(newFileText(name, checks));
    const target = await OutputFile.at(output, { mayReplace: args.flag("force") });
    const isDry = args.flag("dry-run");
    if (!isDry) {
      const progress = currentProgress(`Joining into ${output}`, serverOf(name));
      await aboutFile(name, () => target.write(plan, (bytes) => progress.update(bytes, plan.size))).finally(() =>
        progress.clear(),
      );
      await file.close();
      target.moveIntoPlace();
    }
    const result = {
      file: name,
      written: isDry ? [] : [output],
      output: isDry ? null : output,
      size: plan.size,
      ...checks,
    };
    await printResult(args, result, () =>
      isDry
        ? safe`Nothing was written. ${output} would have ${exactSize(plan.size)}.\n`
        : safe`${output}: the experts joined, ${exactSize(plan.size)}\n`,
    );
    return DONE;
  } finally {
    await file.close();
  }
}
