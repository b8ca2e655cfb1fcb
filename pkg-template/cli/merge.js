// `gguf-wasm merge`: merges the shards of a set into one file.

import { aboutFile } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { currentProgress } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { openSet } from "./source.js";
import { exactSize } from "./text.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", output = ""] = args.positionals;
  const { set, close } = await openSet(name, args);
  try {
    const splitKeys = args.flag("llama-cpp-keys") ? "llama.cpp" : "remove";
    const plan = await aboutFile(name, () => set.merge({ splitKeys }));
    const file = await OutputFile.at(output, { mayReplace: args.flag("force") });
    const isDry = args.flag("dry-run");
    if (!isDry) {
      const progress = currentProgress(`Merging into ${output}`);
      await aboutFile(name, () => file.write(plan, (bytes) => progress.update(bytes, plan.size)));
      progress.clear();
      await close();
      file.moveIntoPlace();
    }
    const shards = set.shards.length;
    printResult(args, { file: name, output, written: !isDry, size: plan.size, shards }, () =>
      isDry
        ? `Nothing was written. ${output} would have ${exactSize(plan.size)}.\n`
        : `${output}: ${shards} shards merged, ${exactSize(plan.size)}\n`,
    );
    return DONE;
  } finally {
    await close();
  }
}
