/** Findings that say the same about a tensor of several blocks, as one. */

import type { Fix } from "gguf-wasm";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { capitalised } from "../ui/sentence.ts";
import { type FindingSubject, subjectOf } from "./finding-subjects.ts";
import { findingTarget, type ShownFinding } from "./findings.ts";

/** A finding, or findings that differ only in the block of their tensor. */
export interface JoinedFindings {
  /** Identifies the findings among those of a file. */
  readonly id: string;
  /** The first finding. */
  readonly first: ShownFinding;
  /** All findings, in file order. */
  readonly findings: readonly ShownFinding[];
  readonly subject: FindingSubject;
  /** The name of the entry or of the tensors. Undefined if the sentence contains it, or if there is none. */
  readonly name: string | undefined;
  readonly sentence: string;
}

/** A tensor of a block: `blk.3.attn_q.weight`, and `v.blk.3.attn_q.weight` of an encoder. */
const BLOCK = /^((?:[^.]+\.)?)blk\.(0|[1-9]\d{0,8})\.(.+)$/s;
/** The most numbers and ranges of blocks that are listed. */
const MOST_RANGES = 12;
/** How the core's last finding of a check begins if it does not list the others. */
const UNLISTED = "there are more findings like these";

/** The block of a tensor, and its name without the block. */
function blockOf(name: string): { block: number; name: string } | undefined {
  const [, encoder, block, own] = BLOCK.exec(name) ?? [];
  return own === undefined ? undefined : { block: Number(block), name: `${encoder}${own}` };
}

/** The joined findings of each list. The tabs and the panel need them at every update. */
const JOINED = new WeakMap<readonly ShownFinding[], readonly JoinedFindings[]>();

/** Joins the findings that differ only in the block of their tensor. They stand at the place of the first one. */
export function joinEqual(findings: readonly ShownFinding[]): readonly JoinedFindings[] {
  const known = JOINED.get(findings);
  if (known) return known;
  const joined = join(findings);
  JOINED.set(findings, joined);
  return joined;
}

function join(findings: readonly ShownFinding[]): JoinedFindings[] {
  const groups = new Map<string, ShownFinding[]>();
  // The checks whose findings are not all listed, and the subject of those that are.
  const unlisted = new Map<string, FindingSubject>();
  const subjects = new Map<string, FindingSubject>();
  for (const [at, finding] of findings.entries()) {
    const { code, severity, shard, message, tensor, index } = finding;
    if (tensor === undefined && message.startsWith(UNLISTED))
      unlisted.set(code, subjects.get(code) ?? subjectOf(finding));
    subjects.set(code, subjectOf(finding));
    const place = tensor === undefined ? undefined : blockOf(tensor);
    const sentence = place && message.replaceAll(tensor ?? "", place.name);
    const key = place ? JSON.stringify([code, severity, shard, index === undefined, place.name, sentence]) : String(at);
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups].flatMap(([id, members]) => {
    const [first] = members;
    return first ? [joinedOf(id, first, members, unlisted.get(first.code))] : [];
  });
}

function joinedOf(
  id: string,
  first: ShownFinding,
  findings: readonly ShownFinding[],
  unlisted: FindingSubject | undefined,
): JoinedFindings {
  const target = findingTarget(first);
  const isNotice = unlisted !== undefined && first.message.startsWith(UNLISTED);
  const subject = isNotice ? unlisted : subjectOf(first);
  const place = blockOf(first.tensor ?? "");
  if (findings.length === 1 || !place)
    return { id, first, findings, subject, name: target?.name, sentence: capitalised(first.message) };
  const blocks = findings.flatMap(({ tensor = "" }) => blockOf(tensor)?.block ?? []);
  const where = `in ${unlisted === undefined ? "" : "at least "}${blockWords(blocks)}`;
  const name = `${place.name} ${where}`;
  // A message about a tensor that the file lacks names it.
  const sentence = capitalised(
    first.message
      .replaceAll(`${first.tensor} is missing`, `${place.name} is missing ${where}`)
      .replaceAll(first.tensor ?? "", name),
  );
  return { id, first, findings, subject, name: target && name, sentence };
}

/** The numbers of blocks in words: "block 3", "blocks 0, 2 and 5 to 9". */
export function blockWords(blocks: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const block of [...new Set(blocks)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && block === last.to + 1) last.to = block;
    else ranges.push({ from: block, to: block });
  }
  // Two neighbours are no shorter as a range.
  const items = ranges.flatMap(({ from, to }) =>
    to - from > 1 ? [`${from} to ${to}`] : from === to ? [`${from}`] : [`${from}`, `${to}`],
  );
  const listed = items.length > MOST_RANGES ? items.slice(0, MOST_RANGES - 1) : items;
  if (listed.length < items.length) listed.push(`${formatInteger(items.length - listed.length)} more`);
  const last = listed.pop() ?? "";
  const isOne = ranges.length === 1 && ranges[0]?.from === ranges[0]?.to;
  return `${isOne ? "block" : "blocks"} ${listed.length > 0 ? `${listed.join(", ")} and ` : ""}${last}`;
}

/**
 * The fix of joined findings: the fix that they share, or all their fixes as one. Undefined if they have different fixes and one of them
 * has none or needs a decision.
 */
export function joinedFix({ findings }: Pick<JoinedFindings, "findings">): Fix | undefined {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  const different = [...new Map(fixes.map((fix) => [JSON.stringify(fix.changes, withoutBigInt), fix])).values()];
  const [first] = different;
  if (!first || different.length === 1) return first;
  if (fixes.length < findings.length || !fixes.every(({ isSafe }) => isSafe)) return undefined;
  const changes = different.flatMap((fix) => fix.changes);
  return { ...first, title: `Fix all ${formatInteger(findings.length)}`, changes };
}

/** Whole numbers of 64 bits as texts, which JSON lacks. */
function withoutBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

/** "2 errors", or "2 errors in 122 places" if some findings are joined. */
export function countWords(groups: readonly JoinedFindings[], word: string, words: string): string {
  const places = groups.reduce((sum, { findings }) => sum + findings.length, 0);
  const count = formatCount(groups.length, word, words);
  return places === groups.length ? count : `${count} in ${formatCount(places, "place")}`;
}
