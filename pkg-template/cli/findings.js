// Findings of checks as text.

import { table } from "./table.js";

/** @import { Finding, SetFinding } from "../node.js" */

/**
 * The errors with which a set is still merged, or refused by the merge itself. The order of the tensors is that of the headers,
 * so the names of swapped files do not matter.
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
 * @param {readonly (Finding | SetFinding)[]} findings
 */
export function findingsTable(findings) {
  return table(
    [{ title: "" }, { title: "" }, { title: "" }],
    findings.map((finding) => [finding.severity, finding.code, `${subject(finding)}${finding.message}`]),
  );
}

/** What a finding is about. @param {Finding | SetFinding} finding */
function subject(finding) {
  const { key, tensor } = finding;
  const shard = "shard" in finding ? finding.shard : undefined;
  const parts = [];
  if (shard !== undefined) parts.push(`shard ${shard}`);
  if (key !== undefined) parts.push(key);
  if (tensor !== undefined) parts.push(tensor);
  return parts.length > 0 ? `${parts.join(", ")}: ` : "";
}
