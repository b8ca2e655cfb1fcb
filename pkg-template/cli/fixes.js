// The fixes of findings that need no decision.

/** @import { Editor, Finding, Fix } from "../full/node.js" */

/** The most rounds. A fix can make another fix possible, but not endlessly. */
const MAX_ROUNDS = 1000;

/** The most fixes that are made together. The other ones follow in the next round. */
const MAX_AT_ONCE = 500;

/**
 * Makes the fixes that need no decision, until the checks find no more.
 *
 * @param {Editor} editor
 * @returns {Finding[]} The findings that were fixed.
 */
export function applySafeFixes(editor) {
  /** @type {Finding[]} */
  const fixed = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const findings = editor.validate().filter(({ fix }) => fix?.isSafe);
    const together = fixTogether(editor, findings.slice(0, MAX_AT_ONCE));
    if (together.length === 0) break;
    fixed.push(...together);
  }
  return fixed;
}

/**
 * Makes the fixes of several findings in one step. If that is refused, makes the first one that is not.
 *
 * @param {Editor} editor
 * @param {readonly Finding[]} findings
 * @returns {readonly Finding[]} The findings whose fixes were made.
 */
function fixTogether(editor, findings) {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  const [first] = fixes;
  if (!first) return [];
  if (makes(editor, { ...first, changes: fixes.flatMap(({ changes }) => changes) })) return findings;
  const fixed = findings.find(({ fix }) => fix && makes(editor, fix));
  return fixed ? [fixed] : [];
}

/**
 * Makes a fix.
 *
 * @param {Editor} editor
 * @param {Fix} fix
 * @returns {boolean} Whether it has changed the file.
 */
function makes(editor, fix) {
  const before = editor.changes.length;
  try {
    editor.apply(fix);
  } catch {
    // The editor refuses some fixes, for example if another one has already changed the entry. It has changed nothing then.
    return false;
  }
  return editor.changes.length !== before;
}
