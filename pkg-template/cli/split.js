// `gguf-wasm split`: splits a file into shards.

import { basename, dirname, join } from "node:path";
import { parseShardName } from "../full/node.js";
import { UsageError, aboutFile } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { FileLock } from "./file-lock.js";
import { serverOf } from "./hub.js";
import { newFileText } from "./new-file-checks.js";
import { currentProgress, note } from "./output.js";
import { moveAllIntoPlace, OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { checkPrefix } from "./shard-prefix.js";
import { safe } from "./safe-text.js";
import { openFile, requireRanges } from "./source.js";
import { table } from "./table.js";
import { counted, grouped } from "./text.js";

/** @import { Finding, PlannedShard } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", prefix = ""] = args.positionals;
  await checkPrefix("PREFIX", prefix);
  const maxTensors = args.count("max-tensors", 1);
  const maxBytes = args.size("max-size", 1);
  if (maxTensors !== undefined && maxBytes !== undefined) {
    throw new UsageError("--max-tensors and --max-size cannot be given together. Leave out one of them.");
  }
  const file = await openFile(name, args);
  try {
    requireRanges(file);
    const shards = await aboutFile(name, () =>
      file.gguf.split({
        name: basename(prefix),
        tensorsInFirst: !args.flag("no-tensor-first-split"),
        ...(maxTensors !== undefined && { maxTensors }),
        ...(maxBytes !== undefined && { maxBytes }),
      }),
    );
    /** @type {OutputFile[]} */
    const files = [];
    for (const shard of shards) {
      files.push(await OutputFile.at(join(dirname(prefix), shard.name), { mayReplace: args.flag("force") }));
    }
    const isDry = args.flag("dry-run");
    // The shards together are the file.
    const checks = { findings: file.gguf.validate(), loads: file.gguf.loads() };
    if (!args.flag("json")) note(newFileText(name, { ...checks, findings: checks.findings.filter(isError) }));
    if (!isDry) {
      // A killed run can have made another number of shards, so that these have other names.
      const isShard = (/** @type {string} */ file) => parseShardName(file)?.prefix === basename(prefix);
      await aboutFile(prefix, () => FileLock.removeAbandoned(dirname(prefix), isShard));
      await writeAll(name, shards, files);
    }
    const result = shards.map(({ plan, tensorCount }, i) => ({ output: files[i]?.name, size: plan.size, tensorCount }));
    const written = isDry ? [] : files.map(({ name }) => name);
    await printResult(args, { file: name, written, shards: result, ...checks }, () => {
      const rows = result.map(({ output, size, tensorCount }) => [output ?? "", grouped(tensorCount), grouped(size)]);
      const columns = [{ title: "SHARD" }, { title: "TENSORS", right: true }, { title: "BYTES", right: true }];
      const end = isDry ? "Nothing was written." : `${counted(shards.length, "shard")} written.`;
      return safe`${table(columns, rows)}${end}\n`;
    });
    return DONE;
  } finally {
    await file.close();
  }
}

/** @param {Finding} finding */
const isError = ({ severity }) => severity === "error";

/**
 * Writes all shards, and gives them their names when all are complete. If one fails, none stays.
 *
 * @param {string} name
 * @param {readonly PlannedShard[]} shards
 * @param {readonly OutputFile[]} files
 */
async function writeAll(name, shards, files) {
  const totalBytes = shards.reduce((sum, { plan }) => sum + plan.size, 0);
  const progress = currentProgress(`Splitting ${name}`, serverOf(name));
  let before = 0;
  try {
    for (const file of files) file.lock();
    for (const [i, { plan }] of shards.entries()) {
      await aboutFile(name, () => files[i]?.write(plan, (bytes) => progress.update(before + bytes, totalBytes)));
      before += plan.size;
    }
  } catch (error) {
    for (const file of files) file.discard();
    throw error;
  } finally {
    progress.clear();
  }
  moveAllIntoPlace(files);
}
