// The changes of a file as text.

import { joined, safe } from "./safe-text.js";
import { shorten } from "./text.js";
import { quoted, shortValue } from "./values.js";

/** @import { Change, MetadataValue } from "../full/node.js" */

/** The characters of a value in the list of changes. */
const SHOWN_CHARACTERS = 100;

/** A line for each change. @param {readonly Change[]} changes */
export function changesText(changes) {
  return joined(changes.map((change) => safe`${changeLine(change)}\n`));
}

/** @param {Change} change */
function changeLine({ kind, key, tensor, from, to, fromType, toType }) {
  const subject = key ?? tensor;
  const name = subject === undefined ? kind : `${kind} ${subject}`;
  const value = (/** @type {MetadataValue} */ value, /** @type {string | undefined} */ type) => {
    const short = shorten(
      typeof value === "string" ? quoted(shorten(value, SHOWN_CHARACTERS)) : shortValue(value, type),
      SHOWN_CHARACTERS,
    );
    return type === undefined ? short : `${short} (${type})`;
  };
  if (kind === "rename" || kind === "rename-tensor")
    return `${name} → ${shorten(shortValue(to ?? ""), SHOWN_CHARACTERS)}`;
  if (kind === "remove" || kind === "remove-tensor") return name;
  const before = from === undefined ? "" : value(from, fromType === toType ? undefined : fromType);
  const after = to === undefined ? "" : value(to, toType);
  return `${name}: ${before && after ? `${before} → ${after}` : after || before}`;
}
