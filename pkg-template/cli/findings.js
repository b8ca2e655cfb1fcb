// Findings of checks as text.

import { table } from "./table.js";

/** @import { Finding, SetFinding } from "../node.js" */

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
