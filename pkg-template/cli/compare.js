// `gguf-wasm compare`: what differs between two models.

import { compare } from "../full/node.js";
import { CommandError, UsageError, aboutFile } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { serverOf } from "./hub.js";
import { currentProgress, note, printRaw } from "./output.js";
import { fitsText, projectorFits } from "./projector-fit.js";
import { printResult } from "./result.js";
import { joined, safe, safeLines } from "./safe-text.js";
import { openModel, requireRanges } from "./source.js";
import { table } from "./table.js";
import { counted, grouped, shorten } from "./text.js";

/** @import { Comparison, EntryDifference, GgufSet, Hunk, TensorDifference } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** The characters of a value that are shown. */
const SHOWN_CHARACTERS = 40;

/** @param {Arguments} args */
export async function run(args) {
  const [nameA = "", nameB = ""] = args.positionals;
  const data = !args.flag("headers");
  const values = args.flag("values");
  const maxBytes = args.size("max-bytes");
  if (!data && (values || maxBytes !== undefined)) {
    throw new UsageError("--headers leaves out the data, so --values and --max-bytes cannot be given with it.");
  }
  if (args.flag("json") && args.flag("markdown")) throw new UsageError("Give --json or --markdown, not both.");
  if (nameA === "-" && nameB === "-") throw new UsageError("Only one of the files can be the standard input.");
  const a = await openModel(nameA, args);
  try {
    const b = await openModel(nameB, args);
    try {
      for (const model of [a, b]) {
        if (model.set) requireComplete(model.name, model.set);
        else if (data) requireRanges(model);
      }
      const progress = currentProgress(`Comparing ${nameA} with ${nameB}`, serverOf(nameA, nameB));
      const comparison = await aboutFile(`${nameA} and ${nameB}`, () =>
        compare(a.set ?? a.gguf, b.set ?? b.gguf, {
          data,
          values,
          ...(maxBytes === undefined ? {} : { maxBytes }),
          onProgress: ({ bytesRead, totalBytes }) => progress.update(bytesRead, totalBytes),
        }),
      ).finally(() => progress.clear());
      await print(args, comparison, [a, b]);
      return comparison.isEqual ? DONE : ANSWER_IS_NO;
    } finally {
      await b.close();
    }
  } finally {
    await a.close();
  }
}

/**
 * Checks that no shard is missing: its tensors would count as removed.
 *
 * @param {string} name
 * @param {GgufSet} set
 */
function requireComplete(name, { shards, isComplete }) {
  if (isComplete) return;
  const missing = shards.filter(({ gguf }) => !gguf).map(({ name }) => name);
  const advice = "Put all shards in one folder, or give --one-file to compare only this shard.";
  throw new CommandError(
    "incomplete-set",
    `${name}: shards of the model are missing: ${missing.join(", ")}. ${advice}`,
  );
}

/**
 * @param {Arguments} args
 * @param {Comparison} comparison
 * @param {readonly [OpenedModel, OpenedModel]} models
 */
function print(args, comparison, [a, b]) {
  const [nameA, nameB] = [a.name, b.name];
  const fits = projectorFits(a, [b]);
  if (args.flag("markdown")) {
    note(fitsText(fits));
    return printRaw(comparison.toMarkdown({ nameA, nameB, limit: Number.MAX_SAFE_INTEGER }));
  } else {
    const result = {
      file: nameA,
      a: nameA,
      b: nameB,
      ...comparison.toJSON(),
      ...(fits.length > 0 && { projectorFits: fits }),
    };
    return printResult(args, result, () =>
      joined([...(fits.length > 0 ? [fitsText(fits)] : []), text(comparison)], "\n"),
    );
  }
}

/** @param {Comparison} comparison */
function text(comparison) {
  const { format, counts, entryCount, tensorCount } = comparison;
  const parts = [safeLines(`${comparison.summary}\n`)];
  if (format.length > 0) {
    parts.push(
      table(
        [{ title: "FORMAT" }, { title: "A" }, { title: "B" }],
        format.map(({ property, a, b }) => [property, a, b]),
      ),
    );
  }
  if (entryCount > 0) {
    const { equal } = counts.entries;
    const rows = comparison.entries().map((entry, index) => entryRow(comparison, entry, index));
    parts.push(table([{ title: "CHANGE" }, { title: "KEY" }, { title: "A" }, { title: "B" }], rows));
    parts.push(safe`${grouped(equal)} ${equal === 1 ? "entry" : "entries"} equal\n`);
  }
  if (tensorCount > 0) parts.push(tensorTable(comparison));
  return joined(parts, "\n");
}

/**
 * @param {Comparison} comparison
 * @param {EntryDifference} entry
 * @param {number} index
 */
function entryRow(comparison, { key, change, isMoved, a, b }, index) {
  const details = change === "changed" ? detailWords(comparison, index) : "";
  const moved = isMoved && change !== "moved" ? ", moved" : "";
  const side = (/** @type {EntryDifference["a"]} */ entry) =>
    entry === undefined
      ? ""
      : `${change === "retyped" ? `${entry.type} ` : ""}${shorten(entry.value, SHOWN_CHARACTERS)}`;
  return [`${change}${details}${moved}`, key, side(a), side(b)];
}

/**
 * How many lines, elements or tokens differ.
 *
 * @param {Comparison} comparison
 * @param {number} index
 */
function detailWords(comparison, index) {
  const details = comparison.entryDetails(index);
  if (details === undefined) return "";
  if (details.tokens) {
    const { removed, added, renumbered } = details.tokens;
    return ` (tokens: -${removed} +${added}, ${renumbered} with another id)`;
  }
  const { hunks } = details;
  const sum = (/** @type {(hunk: Hunk) => number} */ size) => hunks.reduce((total, hunk) => total + size(hunk), 0);
  const removed = sum(({ startA, endA }) => endA - startA);
  const added = sum(({ startB, endB }) => endB - startB);
  return ` (${details.unit}: -${removed} +${added})`;
}

/** @param {Comparison} comparison */
function tensorTable(comparison) {
  const tensors = comparison.tensors();
  const hasValues = tensors.some(({ values }) => values !== undefined);
  const columns = [{ title: "CHANGE" }, { title: "TENSOR" }, { title: "A" }, { title: "B" }, { title: "DATA" }];
  const rows = tensors.map((tensor) => {
    const { name, nameB, change, a, b, data, problem } = tensor;
    const row = [change, nameB === undefined ? name : `${name} → ${nameB}`, shape(a), shape(b), problem ?? data];
    return hasValues ? [...row, ...valueCells(tensor)] : row;
  });
  const right = { right: true };
  const valueColumns = ["NMSE", "LARGEST", "COSINE"].map((title) => ({ title, ...right }));
  const equal = `${counted(comparison.counts.tensors.equal, "tensor")} equal${COVERAGE[comparison.dataCoverage]}\n`;
  return safe`${table(hasValues ? [...columns, ...valueColumns] : columns, rows)}\n${safeLines(equal)}`;
}

/** What is said about the data that was compared. @type {Record<Comparison["dataCoverage"], string>} */
const COVERAGE = {
  whole: "",
  sampled: ", as far as their data was compared",
  none: " (their data was not compared)",
};

/** @param {TensorDifference["a"]} tensor */
function shape(tensor) {
  return tensor === undefined ? "" : `${tensor.type} ${tensor.dimensions.join(" × ")}`;
}

/** @param {TensorDifference} tensor */
function valueCells({ values }) {
  if (values === undefined) return ["", "", ""];
  const { nmse, largestDifference, cosine, isSampled } = values;
  const about = isSampled ? "≈ " : "";
  return [about + nmse.toExponential(3), largestDifference.toPrecision(4), cosine?.toFixed(6) ?? ""];
}
