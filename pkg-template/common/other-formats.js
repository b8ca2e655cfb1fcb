// Formats that people open by mistake instead of GGUF.

/**
 * @typedef {"html" | "zip" | "safetensors" | "ggml" | "lfs-pointer" | "json" | "gzip" | "pickle" | "onnx" | "text" | "empty"} OtherFormat
 */

/**
 * Recognises one of these formats from the first bytes of a file.
 *
 * @param {Uint8Array} head
 * @returns {OtherFormat | undefined}
 */
export function recogniseFormat(head) {
  if (head.length === 0) return "empty";
  const start = head.subarray(0, 512);
  const text = String.fromCharCode(...start);
  if (text.startsWith("GGUF") || "GGUF".startsWith(text)) return undefined;
  const begins = (/** @type {number[]} */ ...bytes) => bytes.every((byte, i) => start[i] === byte);
  if (text.startsWith("version https://git-lfs.github.com/spec")) return "lfs-pointer";
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|script|meta|title|\?xml)/i.test(text)) return "html";
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6) || begins(0x50, 0x4b, 7, 8)) return "zip";
  // Magic numbers before GGUF are little-endian integers: their letters stand in reverse order.
  if (/^(?:lmgg|fmgg|tjgg|algg|nsgg|ggml|ggmf|ggjt|ggla|ggsn)/.test(text)) return "ggml";
  // A safetensors file: the length of a JSON object in 8 bytes, then the object.
  if (start[5] === 0 && start[6] === 0 && start[7] === 0 && /^\{\s*"/.test(text.slice(8))) return "safetensors";
  if (begins(0x1f, 0x8b)) return "gzip";
  if (begins(0x80) && (start[1] ?? 9) <= 5 && /^[}\x8a\x95c(]/.test(text.slice(2))) return "pickle";
  if (begins(0x08) && (start[1] ?? 99) <= 12 && start[2] === 0x12) return "onnx";
  const hasControl = start.some((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13);
  if (hasControl) return undefined;
  if (/^\s*[{[]/.test(text)) return "json";
  return start.every((byte) => byte < 0x7f) ? "text" : undefined;
}
