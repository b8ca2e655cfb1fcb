// Numbers that people type for the types of GGUF.

/** The digits of an integer that is read. No type has as many, and the conversion of a long text takes long. */
const MOST_DIGITS = 100;

/**
 * The least and the greatest value of an integer type. `undefined` for other types.
 *
 * @param {string} type
 */
export function integerRange(type) {
  const [, unsigned, bits] = /^(U?)INT(8|16|32|64)$/.exec(type) ?? [];
  if (bits === undefined) return undefined;
  const count = 1n << BigInt(bits);
  return unsigned ? { least: 0n, most: count - 1n } : { least: -count / 2n, most: count / 2n - 1n };
}

/** @param {string} type */
export const isFloat = (type) => type === "FLOAT32" || type === "FLOAT64";

/** The integer of decimal digits with a sign. `undefined` for other texts. @param {string} text */
export function readInteger(text) {
  const digits = text.trim();
  return digits.length <= MOST_DIGITS && /^[+-]?\d+$/.test(digits) ? BigInt(digits.replace("+", "")) : undefined;
}

/** NaN and the infinities by their names. `undefined` for other texts. @param {string} text */
export function readNamedFloat(text) {
  const [, sign, name] = /^\s*([+-]?)(inf(?:inity)?|nan|∞)\s*$/i.exec(text) ?? [];
  if (name === undefined) return undefined;
  return name.toLowerCase() === "nan" ? NaN : sign === "-" ? -Infinity : Infinity;
}
