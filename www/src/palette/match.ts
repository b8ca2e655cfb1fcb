/** How well a text matches typed words. */

/** A match: the larger the score, the better. `marks` are the positions of the matching letters, in order. */
export interface Match {
  readonly score: number;
  readonly marks: readonly number[];
}

/** The words of a query, in lower case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The scores of a word whose letters stand together, and of one whose letters have others between them. */
const TOGETHER = 100;
const APART = 20;

/**
 * Matches every word with a text. The letters of a word occur in their order: "qkv" matches "blk.0.attn_qkv.weight", and so does "b0qkv" unless
 * `isStrict`. A word that begins a part of the text, and a short text, are better. Undefined if a word does not match.
 */
export function matchText(text: string, words: readonly string[], isStrict = false): Match | undefined {
  const lower = text.toLowerCase();
  // Some letters change their length in lower case. Their positions would then be wrong, so nothing is marked.
  const canMark = lower.length === text.length;
  let score = 0;
  const marks = new Set<number>();
  for (const word of words) {
    const found = findTogether(lower, word) ?? (isStrict ? undefined : findApart(lower, word));
    if (!found) return undefined;
    score += found.score;
    if (canMark) for (const at of found.marks) marks.add(at);
  }
  return { score: score - Math.min(text.length, 200) / 10, marks: [...marks].sort((a, b) => a - b) };
}

function findTogether(text: string, word: string): Match | undefined {
  const first = text.indexOf(word);
  if (first < 0) return undefined;
  let at = first;
  // A place at the beginning of a part is better than an earlier one.
  while (at >= 0 && !beginsPart(text, at)) at = text.indexOf(word, at + 1);
  const isPart = at >= 0;
  if (!isPart) at = first;
  const isWhole = word.length === text.length;
  return {
    score: TOGETHER + (isWhole ? 60 : isPart ? 30 : 0) + (at === 0 ? 10 : 0),
    marks: Array.from(word, (_, i) => at + i),
  };
}

/** The letters of a word one after the other, at beginnings of parts if there are any. */
function findApart(text: string, word: string): Match | undefined {
  const marks: number[] = [];
  let score = APART;
  let from = 0;
  for (const letter of word) {
    const first = text.indexOf(letter, from);
    if (first < 0) return undefined;
    let at = first;
    if (first !== from || from === 0)
      for (let next = first; next >= 0 && next < first + 24; next = text.indexOf(letter, next + 1))
        if (beginsPart(text, next)) {
          at = next;
          break;
        }
    // The rest of the word must still fit behind a better place.
    if (at !== first && !isBehind(text, word.slice(marks.length + 1), at + 1)) at = first;
    score += beginsPart(text, at) ? 4 : at === from ? 2 : -1;
    marks.push(at);
    from = at + 1;
  }
  return { score, marks };
}

function isBehind(text: string, letters: string, from: number): boolean {
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

/** Whether a part of a text begins at a position: at its beginning, or behind a sign such as a dot. */
function beginsPart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) || isNumberBehindLetter(text, at);
}

function isNumberBehindLetter(text: string, at: number): boolean {
  return /\d/.test(text.charAt(at)) && !/\d/.test(text.charAt(at - 1));
}
