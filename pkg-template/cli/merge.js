// `gguf-wasm merge`: merges the shards of a set into one file, or the experts of a model.

import { resolve } from "node:path";
import { parseShardName } from "../full/node.js";
import { rawPart } from "../common/raw-parts.js";
import { Refusal, UsageError, aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { findingsTable, mergeErrors } from "./findings.js";
import { serverOf } from "./hub.js";
import { newFileText } from "./new-file-checks.js";
import { currentProgress, note } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { fileNameOf, localPath, openSet, pathOf } from "./source.js";
import { exactSize } from "./text.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  if (args.flag("experts")) return (await import("./merge-experts.js")).mergeExperts(args);
  const { name, output } = shardAndOutput(args.positionals);
  if (rawPart(fileNameOf(name))) return (await import("./merge-parts.js")).mergeParts(args, name, output);
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

/**
 * The first shard and the new file. A shell pattern expands to all shards. If the new file is missing, the last argument is a shard, and
 * this is refused.
 *
 * @param {readonly string[]} positionals
 */
function shardAndOutput(positionals) {
  const [name = ""] = positionals;
  const [shards, output = ""] = [positionals.slice(0, -1), positionals.at(-1)];
  const set = setOf(name);
  if (set !== undefined && setOf(output) === set) {
    throw new Refusal(
      "output-is-input",
      `OUTPUT is missing after the shards: the output is a file that the command reads, "${output}", a shard of the set. Choose another path.`,
    );
  }
  const other = shards.find((shard) => setOf(shard) !== set);
  if (shards.length > 1 && (set === undefined || other !== undefined)) {
    const found = set === undefined ? `"${name}" is no shard` : `"${other}" is no shard of the set of "${name}"`;
    throw new UsageError(`${found}. All arguments but the last must be shards of one set; the last is the new file.`);
  }
  const places = shards.map((shard) => (localPath(shard) === undefined ? shard : resolve(pathOf(shard))));
  const twice = shards.find((_, i) => places.indexOf(places[i] ?? "") < i);
  if (twice !== undefined) {
    throw new Refusal(
      "duplicate-shard",
      `the shard "${twice}" is given twice. Give each shard once, or only one of them.`,
    );
  }
  return { name, output };
}

/**
 * The set that a file belongs to, by its place and its name.
 *
 * @param {string} name
 * @returns {string | undefined} `undefined` if it is no shard.
 */
function setOf(name) {
  const fileName = fileNameOf(name);
  const shard = parseShardName(fileName);
  const part = rawPart(fileName);
  if (shard === undefined && part === undefined) return undefined;
  const folder = name.slice(0, name.lastIndexOf(fileName)) || "./";
  const place = localPath(name) === undefined ? folder : resolve(pathOf(folder));
  return [place, ...(part ? [part.set] : [shard?.prefix, shard?.count])].join("\0");
}
