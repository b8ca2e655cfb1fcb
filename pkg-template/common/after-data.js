// What stands behind the data of a file, or in place of its end: it is a sign of what has happened to the file.
/* eslint no-control-regex: "off" -- the bytes of a version are control characters */

import { bytesOf } from "./byte-sources.js";
import { zerosFrom } from "./zero-filled.js";

/** @import { ByteSource } from "./byte-sources.js" */
/** @import { PlacedTensor } from "./zero-filled.js" */

/**
 * @typedef {object} AfterData
 * @property {"shards" | "web-page" | "zeros"} kind Another GGUF file, as `cat` of shards makes it; a page that a server or proxy sent; or
 * zeros in place of data.
 * @property {number} offset Where it begins; of a web page, where its last bytes are; of zeros, the first tensor that has them.
 * @property {string} message What it is, and what to do, as sentences.
 */

/** The checks about the end of a file, and whether their offset is where the data should end. */
const AT_END = ["trailing-bytes", "bytes-without-tensors", "truncated"];

/**
 * Whether the checks of a file say that it does not end where its data does.
 *
 * @param {readonly { code: string }[]} findings
 */
export const endsElsewhere = (findings) => findings.some(({ code }) => AT_END.includes(code));

/** The bytes at the end that tell a web page. */
const TAIL = 256;

/** @param {Uint8Array} bytes */
const latin1 = (bytes) => String.fromCharCode(...bytes);

/**
 * What stands behind the data of a file, if its checks say that the file does not end where its data does; else whether its end was never
 * written.
 *
 * @param {readonly { code: string, offset?: number | undefined }[]} findings Those of `validate()`.
 * @param {ByteSource | undefined} source The file. Its size must be known.
 * @param {readonly PlacedTensor[]} tensors
 * @returns {Promise<AfterData | undefined>} `undefined` also if nothing is known of it.
 */
export async function afterData(findings, source, tensors) {
  const finding = findings.find(({ code }) => AT_END.includes(code));
  const size = source?.size;
  if (source === undefined || size === undefined) return undefined;
  if (finding === undefined) {
    const offset = await zerosFrom(source, tensors);
    const message =
      `The file has its full size, but from offset ${offset} on, the tensors hold only zeros: their data was never written, as by an ` +
      "interrupted download that reserves its space first. Download the file again.";
    return offset === undefined ? undefined : { kind: "zeros", offset, message };
  }
  if (finding.offset === undefined) return undefined;
  const { code, offset } = finding;
  if (code !== "truncated") {
    const next = latin1(await bytesOf(source, offset, Math.min(offset + 8, size)));
    if (/^GGUF(?:[\x01-\x03]\0\0\0|\0\0\0[\x01-\x03])/.test(next)) {
      return {
        kind: "shards",
        offset,
        message:
          `Another GGUF file begins at offset ${offset}, behind the data of the first: files were joined with cat, ` +
          "which makes no model. If they are shards, gguf-wasm merge makes one model of this file; else cut it at this offset.",
      };
    }
  }
  const tailStart = Math.max(0, size - TAIL);
  if (/<\/(?:html|body)>\s*$/i.test(latin1(await bytesOf(source, tailStart, size)))) {
    return {
      kind: "web-page",
      offset: tailStart,
      message:
        "The file ends with a web page: a server or a proxy sent an error page in place of the rest of the file. Download it again.",
    };
  }
  return undefined;
}

/**
 * Findings in which the one about the end of the file says what stands there, in place of general advice.
 *
 * @template {{ code: string, message: string, severity: string }} F
 * @param {readonly F[]} findings
 * @param {AfterData | undefined} found
 * @returns {readonly F[]}
 */
export function withAfterData(findings, found) {
  if (found === undefined) return findings;
  if (found.kind === "zeros") {
    const { offset, message } = found;
    return [
      /** @type {F} */ (/** @type {unknown} */ ({ severity: "error", code: "truncated", message, offset })),
      ...findings,
    ];
  }
  const worst = (/** @type {F["severity"]} */ severity) => (severity === "info" ? "warning" : severity);
  const said = (/** @type {F} */ finding) => `${withoutAdvice(finding.message)} ${found.message}`;
  return findings.map((finding) =>
    AT_END.includes(finding.code) ? { ...finding, severity: worst(finding.severity), message: said(finding) } : finding,
  );
}

/** A message without its last sentence, which is the advice. @param {string} message */
const withoutAdvice = (message) => message.replace(/(?<=\.) [^.]*\.$/, "");

/** The advice for a file that is made of raw parts, and ends too early: it is no interrupted download. */
const MISSING_PART = "A later part is probably missing. Put all parts beside each other.";

/**
 * Findings of a file that is made of raw parts.
 *
 * @template {{ code: string, message: string }} F
 * @param {readonly F[]} findings
 * @returns {readonly F[]}
 */
export function withMissingParts(findings) {
  return findings.map((finding) =>
    finding.code === "truncated"
      ? { ...finding, message: `${withoutAdvice(finding.message)} ${MISSING_PART}` }
      : finding,
  );
}

/**
 * The answer of `loads()` about a file that is made of raw parts.
 *
 * @template {{ sentence: string, reason?: { code: string, message: string } | undefined }} L
 * @param {L} loads
 * @returns {L}
 */
export function loadsOfParts(loads) {
  const { sentence, reason } = loads;
  if (reason?.code !== "truncated") return loads;
  const [message = reason.message] = withMissingParts([reason]).map(({ message }) => message);
  return { ...loads, sentence: sentence.replace(reason.message, message), reason: { ...reason, message } };
}
