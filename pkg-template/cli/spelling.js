// The known name that a misspelt one is probably meant for. The package has the same rule for the names of its options, but
// commands and options are read before WebAssembly is loaded.

/**
 * A name that differs only in capital letters, or in two edits and at most a third of its letters. An edit adds, leaves out or
 * replaces a letter, or exchanges two.
 *
 * @param {string} name
 * @param {readonly string[]} known
 * @returns {string | undefined} `undefined` if no name is similar.
 */
export function nearest(name, known) {
  const sameLetters = known.find((other) => other.toLowerCase() === name.toLowerCase());
  if (sameLetters !== undefined) return sameLetters;
  for (const edits of [1, 2]) {
    const similar = known.find((other) => 3 * edits <= other.length && isWithin(edits, name, other));
    if (similar !== undefined) return similar;
  }
  return undefined;
}

/**
 * Whether one text becomes the other by at most this number of edits.
 *
 * @param {number} edits
 * @param {string} a
 * @param {string} b
 * @returns {boolean}
 */
function isWithin(edits, a, b) {
  if (Math.abs(a.length - b.length) > edits) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  if (restA === "" || restB === "") return true;
  if (edits === 0) return false;
  const without = (/** @type {number} */ ofA, /** @type {number} */ ofB) =>
    isWithin(edits - 1, restA.slice(ofA), restB.slice(ofB));
  const isExchanged = restA.length > 1 && restA[0] === restB[1] && restA[1] === restB[0];
  return without(1, 1) || without(1, 0) || without(0, 1) || (isExchanged && without(2, 2));
}
