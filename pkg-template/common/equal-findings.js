// Findings that say the same about a tensor of several blocks, as one.

/**
 * What is read of a finding about a file or about a set of shards.
 *
 * @typedef {object} AnyFinding
 * @property {string} code
 * @property {string} severity
 * @property {string} message
 * @property {string | undefined} [tensor]
 * @property {number | undefined} [index]
 * @property {number | undefined} [shard]
 */

/**
 * A finding, or findings that differ only in the block of their tensor.
 *
 * @template {AnyFinding} F
 * @typedef {object} JoinedFindings
 * @property {string} id Identifies the findings among those of a file.
 * @property {F} first
 * @property {readonly F[]} findings All of them, in the order of the file.
 * @property {string | undefined} name The tensors and their blocks. `undefined` if it is one finding, or if the message contains it.
 * @property {string} message
 */

/** A tensor of a block: `blk.3.attn_q.weight`, and `v.blk.3.attn_q.weight` of an encoder. */
const BLOCK = /^((?:[^.]+\.)?)blk\.(0|[1-9]\d{0,8})\.(.+)$/s;

/** The most numbers and ranges of blocks that are listed. */
const MOST_RANGES = 12;

/** Whether a finding says that others of its check are not listed. @param {AnyFinding} finding */
export const isNotice = ({ tensor, message }) =>
  tensor === undefined && message.startsWith("there are more findings like these");

/** The block of a tensor, and its name without the block. @param {string | undefined} name */
function blockOf(name) {
  const [, encoder, block, own] = BLOCK.exec(name ?? "") ?? [];
  return own === undefined ? undefined : { block: Number(block), name: `${encoder}${own}` };
}

/**
 * Joins the findings that differ only in the block of their tensor. They stand at the place of the first one.
 *
 * @template {AnyFinding} F
 * @param {readonly F[]} findings
 * @returns {JoinedFindings<F>[]}
 */
export function joinEqual(findings) {
  /** @type {Map<string, F[]>} */
  const groups = new Map();
  for (const [at, finding] of findings.entries()) {
    const { code, severity, message, tensor, index, shard } = finding;
    const place = blockOf(tensor);
    const sentence = place && message.replaceAll(tensor ?? "", place.name);
    const parts = [code, severity, shard, index === undefined, place?.name, sentence];
    const key = place ? JSON.stringify(parts) : String(at);
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  const unlisted = new Set(findings.filter(isNotice).map(({ code }) => code));
  return [...groups].flatMap(([id, members]) => {
    const [first] = members;
    return first ? [joinedOf(id, first, members, unlisted.has(first.code))] : [];
  });
}

/**
 * @template {AnyFinding} F
 * @param {string} id
 * @param {F} first
 * @param {readonly F[]} findings
 * @param {boolean} hasUnlisted Whether the package does not list all findings of the check.
 * @returns {JoinedFindings<F>}
 */
function joinedOf(id, first, findings, hasUnlisted) {
  const { tensor = "", index, message } = first;
  const place = blockOf(tensor);
  if (findings.length === 1 || !place) return { id, first, findings, name: undefined, message };
  const blocks = findings.flatMap(({ tensor }) => blockOf(tensor)?.block ?? []);
  const where = `in ${hasUnlisted ? "at least " : ""}${blockWords(blocks)}`;
  const name = `${place.name} ${where}`;
  return {
    id,
    first,
    findings,
    name: index === undefined ? undefined : name,
    // A message about a tensor that the file lacks names it.
    message: message.replaceAll(`${tensor} is missing`, `${place.name} is missing ${where}`).replaceAll(tensor, name),
  };
}

/** The numbers of blocks in words: "block 3", "blocks 0, 2 and 5 to 9". @param {readonly number[]} blocks */
export function blockWords(blocks) {
  /** @type {{ from: number, to: number }[]} */
  const ranges = [];
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
  if (listed.length < items.length) listed.push(`${(items.length - listed.length).toLocaleString("en-US")} more`);
  const last = listed.pop() ?? "";
  const isOne = ranges.length === 1 && ranges[0]?.from === ranges[0]?.to;
  return `${isOne ? "block" : "blocks"} ${listed.length > 0 ? `${listed.join(", ")} and ` : ""}${last}`;
}
