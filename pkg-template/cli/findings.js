// Findings of checks as text.

import { joinEqual } from "../common/equal-findings.js";
import { table } from "./table.js";
import { counted } from "./text.js";

/** @import { Finding, SetFinding } from "../full/node.js" */

/**
 * Errors that do not stop a merge here: the merge works in spite of them, or refuses the set itself. Shards are ordered by their headers,
 * so swapped file names do not matter.
 */
const ALLOWED_IN_MERGE = ["swapped-shard", "missing-shard", "unreadable-shard"];

/**
 * The errors because of which the shards of a set must not be merged.
 *
 * @param {readonly SetFinding[]} findings
 */
export function mergeErrors(findings) {
  return findings.filter(({ severity, code }) => severity === "error" && !ALLOWED_IN_MERGE.includes(code));
}

/**
 * A line for each finding. Findings that differ only in the block of their tensor are one line.
 *
 * @param {readonly (Finding | SetFinding)[]} findings
 * @param {{ all?: boolean }} [options] With `all`, every finding has a line.
 */
export function findingsTable(findings, { all = false } = {}) {
  const rows = all
    ? findings.map((first) => ({ first, name: undefined, message: first.message }))
    : joinEqual(findings);
  return table(
    [{ title: "" }, { title: "" }, { title: "" }],
    rows.map(({ first, name, message }) => [first.severity, first.code, `${subject(first, name)}${message}`]),
  );
}

/**
 * What findings are about.
 *
 * @param {Finding | SetFinding} first
 * @param {string | undefined} tensors The tensors of several findings.
 */
function subject(first, tensors) {
  const { key, tensor } = first;
  const shard = "shard" in first ? first.shard : undefined;
  const parts = [];
  if (shard !== undefined) parts.push(`shard ${shard}`);
  if (key !== undefined) parts.push(key);
  if (tensors !== undefined) parts.push(tensors);
  else if (tensor !== undefined && !first.message.includes(`${tensor} is missing`)) parts.push(tensor);
  return parts.length > 0 ? `${parts.join(", ")}: ` : "";
}

/**
 * The number of findings in words: "2 errors", or "2 errors in 122 places" if equal ones are joined.
 *
 * @param {readonly (Finding | SetFinding)[]} findings
 * @param {string} noun
 * @param {{ all?: boolean }} [options]
 */
export function countFindings(findings, noun, { all = false } = {}) {
  const lines = all ? findings.length : joinEqual(findings).length;
  const count = counted(lines, noun);
  return lines === findings.length ? count : `${count} in ${counted(findings.length, "place")}`;
}
