// Raw parts: one GGUF file that was cut into pieces, as `split` or an upload limit does it. Joined in their order, they are the file. Shards
// are something else: each of them is a GGUF file.

/**
 * @typedef {object} RawPart What the name of a raw part says.
 * @property {string} base The name of the joined file: `model.Q8_0.gguf`.
 * @property {string} set The same text for all parts of a file, and for no others in the folder.
 * @property {number} index The place in the order, as it is counted in the names: from 0 or from 1; letters count from 0.
 * @property {number} first The place of the first part, if it is known: letters count from 0. Otherwise 1, and 0 is possible.
 * @property {number | undefined} count The number of parts, if the name has it.
 * @property {(index: number) => string} nameAt The name of another part.
 */

/**
 * `NAME.gguf.part1of2`, `NAME.gguf-split-a`, `NAME.gguf.part-aa`, `NAME.gguf.001`, `NAME.gguf.part1`, `NAME.ggufaa`: the name of the file, a
 * word, a number or letters, and the number of parts.
 */
const AFTER = /^(.*\.gguf)([.\-_]?(?:(?:split|part)[.\-_]?)?)(\d{1,4}|[a-z]{1,3})(?:([.\-_]?of[.\-_]?)(\d{1,4}))?$/i;

/** `NAME.part1of2.gguf`: the same before the extension. A number alone would be part of the name of the model. */
const BEFORE = /^(.*?)([.\-_](?:split|part)[.\-_]?)(\d{1,4})([.\-_]?of[.\-_]?)(\d{1,4})(\.gguf)$/i;

/** @param {string} letters */
const fromLetters = (letters) =>
  [...letters.toLowerCase()].reduce((value, letter) => value * 26 + letter.charCodeAt(0) - 97, 0);

/** @param {number} index @param {string} like Letters of another part. */
function toLetters(index, like) {
  let letters = "";
  for (let at = 0; at < like.length; at++) {
    letters = String.fromCharCode(97 + (index % 26)) + letters;
    index = Math.floor(index / 26);
  }
  return like === like.toUpperCase() ? letters.toUpperCase() : letters;
}

/**
 * Takes the name of a raw part apart.
 *
 * @param {string} name Without folders.
 * @returns {RawPart | undefined} `undefined` if it is not the name of a raw part.
 */
export function rawPart(name) {
  const [, base = "", word = "", label = "", of = "", countText, end = ""] = BEFORE.exec(name) ?? AFTER.exec(name) ?? [];
  if (base === "") return undefined;
  const isNumber = /^\d/.test(label);
  const hasWord = /[a-z]/i.test(word);
  // Without a word, only what `split` and archivers write: two or three letters from "aa" on, two digits or more after a full stop.
  if (!hasWord && (isNumber ? word !== "." || label.length < 2 : !/^a{1,2}[a-z]$/i.test(label))) return undefined;
  if (countText !== undefined && !isNumber) return undefined;
  const count = countText === undefined ? undefined : Number(countText);
  const index = isNumber ? Number(label) : fromLetters(label);
  if (count !== undefined && (count < 1 || index > count)) return undefined;
  const tail = `${of}${countText ?? ""}${end}`;
  return {
    base: base + end,
    set: [base, word, isNumber ? "#" : label.length, tail].join("\0"),
    index,
    first: isNumber ? 1 : 0,
    count,
    nameAt: (at) => base + word + (isNumber ? String(at).padStart(label.length, "0") : toLetters(at, label)) + tail,
  };
}

/**
 * @template T
 * @typedef {object} RawParts The parts of one file that are there.
 * @property {string} base The name of the joined file.
 * @property {readonly T[]} parts In their order.
 * @property {boolean} isBeginning Whether the first parts are there, up to the last one that is there: the header can be read.
 * @property {readonly string[]} missing The names of the parts that are known to be missing. The last parts of a file can be missing
 *   without being known.
 */

/**
 * The files that are raw parts, by the file that they are cut from. The rest is left out. Two parts with the same place are no set, unless
 * their names are the same; then the first is taken.
 *
 * @template T
 * @param {readonly T[]} files
 * @param {(file: T) => string} nameOf
 * @param {(file: T) => string} [folderOf] Parts lie in the same folder.
 * @returns {RawParts<T>[]}
 */
export function rawSets(files, nameOf, folderOf = () => "") {
  /** @type {Map<string, { part: RawPart, file: T }[]>} */
  const sets = new Map();
  for (const file of files) {
    const part = rawPart(nameOf(file));
    if (part === undefined) continue;
    const key = `${folderOf(file)}\0${part.set}`;
    const set = sets.get(key) ?? [];
    if (!set.some(({ part: { index } }) => index === part.index)) set.push({ part, file });
    sets.set(key, set);
  }
  return [...sets.values()].map((set) => {
    set.sort((a, b) => a.part.index - b.part.index);
    const [first] = set;
    const indices = set.map(({ part }) => part.index);
    const [start, end] = rangeOf(/** @type {{ part: RawPart }} */ (first).part, indices);
    const missing = [];
    for (let at = start; at < end; at++) if (!indices.includes(at)) missing.push(first?.part.nameAt(at) ?? "");
    const isBeginning = indices.every((index, at) => index === start + at);
    return { base: first?.part.base ?? "", parts: set.map(({ file }) => file), isBeginning, missing };
  });
}

/**
 * The places that parts must have: from the first one to behind the last one that is known.
 *
 * @param {RawPart} part
 * @param {readonly number[]} indices Those that are there.
 * @returns {[number, number]}
 */
function rangeOf({ first, count }, indices) {
  const last = Math.max(...indices);
  const start = indices.includes(0) ? 0 : first;
  return [start, count === undefined ? last + 1 : start + count];
}

/**
 * What is wrong with the parts that are there. `undefined` if they may be the whole file.
 *
 * @param {Pick<RawParts<unknown>, "base" | "missing">} set
 */
export function missingParts({ base, missing }) {
  if (missing.length === 0) return undefined;
  const names = missing.slice(0, 3).join(", ") + (missing.length > 3 ? ` and ${missing.length - 3} more` : "");
  return `This is a part of ${base}, which was cut into pieces. ${missing.length === 1 ? "One part is" : "Parts are"} missing beside it: ${names}.`;
}
