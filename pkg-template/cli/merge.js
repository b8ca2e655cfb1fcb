// `gguf-wasm merge`: merges the shards of a set into one file.

import { aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { findingsTable, mergeErrors } from "./findings.js";
import { serverOf } from "./hub.js";
import { newFileText } from "./new-file-checks.js";
import { currentProgress, note } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { openSet } from "./source.js";
import { exactSize } from "./text.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", output = ""] = args.positionals;
  const { set, close } = await openSet(name, args);
  try {
    const { findings } = set;
    if (mergeErrors(findings).length > 0) {
      await printResult(args, { file: name, output: null, written: [], findings }, () => {
        return safe`${name}: cannot be merged, because the set has errors\n${findingsTable(findings)}`;
      });
      return ANSWER_IS_NO;
    }
    const splitKeys = args.flag("llama-cpp-keys") ? "llama.cpp" : "remove";
    const plan = await aboutFile(name, () => set.merge({ splitKeys }));
    if (findings.length > 0 && !args.flag("json"))
      note(safe`gguf-wasm: the set has problems:\n${findingsTable(findings)}`);
    const checks = { findings: plan.findings, loads: set.merged.loads() };
    if (!args.flag("json")) note(newFileText(name, checks));
    const file = await OutputFile.at(output, { mayReplace: args.flag("force") });
    const isDry = args.flag("dry-run");
    if (!isDry) {
      const progress = currentProgress(`Merging into ${output}`, serverOf(name));
      await aboutFile(name, () => file.write(plan, (bytes) => progress.update(bytes, plan.size))).finally(() =>
        progress.clear(),
      );
      await close();
      file.moveIntoPlace();
    }
    const shards = set.shards.length;
    const result = {
      file: name,
      written: isDry ? [] : [output],
      output: isDry ? null : output,
      size: plan.size,
      shardCount: shards,
      loads: checks.loads,
      findings: [...findings, ...checks.findings],
    };
    await printResult(args, result, () =>
      isDry
        ? safe`Nothing was written. ${output} would have ${exactSize(plan.size)}.\n`
        : safe`${output}: ${shards} shards merged, ${exactSize(plan.size)}\n`,
    );
    return DONE;
  } finally {
    await close();
  }
}
