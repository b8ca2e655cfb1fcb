/**
 * Text from a file, split into segments, so that characters that are invisible or reorder the text around them can be shown as escapes. The
 * screen must show what the file contains.
 */

export interface Segment {
  text: string;
  /** The name of the character if `text` is an escape for it. */
  escape?: string;
}

// Control and format characters, such as bidirectional overrides, tag characters and byte order marks; line and paragraph separators; lone
// surrogates; and other characters that Unicode ignores when it shows text. Joiners and variation selectors stay after a character that they
// can change: a letter or a mark from U+0600 on, such as those of Persian and Indic scripts, or an emoji. The command line has the same
// list, in `pkg-template/cli/safe-text.js`.
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}](?<!(?:[^\0-\u05ff\p{Cf}\p{DI}]\ufe0f?[\u200c\u200d])|(?:[^\0-\u05ff\p{Cf}\p{DI}]|[#*0-9©®])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])/gu;

const CHARACTER_NAMES = new Map<number, string>([
  [0x00, "null"],
  [0x07, "bell"],
  [0x08, "backspace"],
  [0x0d, "carriage return"],
  [0x1b, "escape"],
  [0x7f, "delete"],
  [0xad, "soft hyphen"],
  [0x61c, "Arabic letter mark"],
  [0x200b, "zero width space"],
  [0x200c, "zero width non-joiner"],
  [0x200d, "zero width joiner"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x2028, "line separator"],
  [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "pop directional formatting"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2060, "word joiner"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "pop directional isolate"],
  [0xfeff, "byte order mark"],
]);

function escapeOf(code: number): Segment {
  const digits = code.toString(16).padStart(code > 0xff ? 4 : 2, "0");
  const text = code > 0xffff ? `\\u{${digits}}` : code > 0xff ? `\\u${digits}` : `\\x${digits}`;
  const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const name =
    CHARACTER_NAMES.get(code) ??
    (code < 0x20 || (code >= 0x7f && code < 0xa0) ? "control character" : "invisible character");
  return { text, escape: `${point} ${name}` };
}

/** Splits `text` at its invisible characters. With `inline`, line breaks and tabs are shown as marks; otherwise they lay out the text. */
export function splitText(text: string, inline: boolean): Segment[] {
  const found: Segment[] = [];
  let from = 0;
  const plain = (to: number) => {
    if (to > from) found.push({ text: text.slice(from, to) });
  };
  const pattern = inline ? new RegExp(`${INVISIBLE.source}|[\\t\\n]`, "gu") : INVISIBLE;
  for (const match of text.matchAll(pattern)) {
    const code = match[0].codePointAt(0) ?? 0;
    // CR LF is an ordinary line break in a block of text.
    if (!inline && code === 0x0d && text.charCodeAt(match.index + 1) === 0x0a) continue;
    plain(match.index);
    if (code === 0x0a) found.push({ text: "↵", escape: "line break" });
    else if (code === 0x09) found.push({ text: "⇥", escape: "tab" });
    else found.push(escapeOf(code));
    from = match.index + match[0].length;
  }
  plain(text.length);
  return found;
}

/** Text from a file as one plain string, with escapes: for tooltips, labels and the title of the document. */
export function escapeText(text: string, limit = 200): string {
  const cut = truncate(text, limit);
  return splitText(cut, true)
    .map((segment) => segment.text)
    .join("")
    .concat(cut.length < text.length ? "…" : "");
}

/** The first `limit` UTF-16 units of a text. A surrogate pair is never split. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/** The text as a link target if the whole text is an http or https address. */
export function linkTarget(text: string): string | undefined {
  if (
    text.length > 2048 ||
    !/^https?:\/\/[^\s"'<>\\]+$/i.test(text) ||
    splitText(text, true).some((part) => part.escape)
  )
    return undefined;
  return URL.canParse(text) ? text : undefined;
}
