/** The sentence above the list of findings: whether llama.cpp loads the model. */

import type { ChecksResult, ShownFinding } from "./findings.ts";

/**
 * The sentence of `loads` above `findings`. The message of the reason is left out if a finding in the list has it, and this finding is easy
 * to see: the sentence names its subject, or it is the only error or warning.
 */
export function loadsSentence(loads: Omit<ChecksResult["loads"], "rules">, findings: readonly ShownFinding[]): string {
  const { sentence } = loads;
  const reason: ShownFinding | undefined = loads.reason;
  const end = `: ${reason?.message}`;
  if (reason === undefined || !sentence.endsWith(end)) return sentence;
  const short = `${sentence.slice(0, -end.length)}.`;
  const isListed = findings.some(
    ({ code, message, index, shard }) =>
      code === reason.code && message === reason.message && index === reason.index && shard === reason.shard,
  );
  // The sentence does not have a very long name.
  const name = reason.tensor ?? reason.key;
  const isNamed = reason.index !== undefined && name !== undefined && short.includes(name);
  const isOnly = findings.filter(({ severity }) => severity !== "info").length === 1;
  return isListed && (isNamed || isOnly) ? short : sentence;
}
