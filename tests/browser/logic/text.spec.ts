import { expect, test } from "@playwright/test";
import { prefixOf } from "../../../www/src/metadata/metadata-rows.ts";
import { truncate, linkTarget, splitText, escapeText } from "../../../www/src/ui/text.ts";

test("invisible characters are escaped", () => {
  expect(escapeText("a\u202Eb\u0000c\u001b[31m")).toBe("a\\u202eb\\x00c\\x1b[31m");
  expect(splitText("x\u202ey", true)[1]).toEqual({ text: "\\u202e", escape: "U+202E right-to-left override" });
  expect(escapeText("\u{e0041}tag")).toBe("\\u{e0041}tag");
  expect(escapeText("\ufeffa\u00adb")).toBe("\\ufeffa\\u00adb".replace("\\u00ad", "\\xad"));
});

test("a text block keeps its line breaks, a single line shows them as marks", () => {
  expect(splitText("a\r\nb\tc", false)).toEqual([{ text: "a\r\nb\tc" }]);
  expect(escapeText("a\nb\tc")).toBe("a↵b⇥c");
});

test("joiners stay between the characters that they join", () => {
  for (const text of ["👩‍💻", "می‌خواهم", "क्‍ष"]) expect(escapeText(text)).toBe(text);
  expect(escapeText("1\u200d2")).toBe("1\\u200d2");
  // Joiners in Latin text, and a second one, join nothing.
  expect(escapeText("a\u200db")).toBe("a\\u200db");
  expect(escapeText("字\u200d\u200d")).toBe("字\u200d\\u200d");
});

test("every character that Unicode ignores is escaped", () => {
  for (const code of [
    0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x200b, 0x2065, 0x3164, 0xfe00, 0xfeff, 0xffa0, 0xfff8, 0xe0041,
    0xe0fff,
  ]) {
    const character = String.fromCodePoint(code);
    expect(escapeText(`a${character}b`), code.toString(16)).toMatch(/^a\\[ux][{0-9a-f}]+b$/);
  }
});

test("truncation never splits a character", () => {
  expect(truncate("a😀b", 2)).toBe("a");
  expect(truncate("a😀b", 3)).toBe("a😀");
});

test("only http and https addresses become links, without user names or invisible characters", () => {
  expect(linkTarget("https://example.com/a?b=c")).toBe("https://example.com/a?b=c");
  for (const no of [
    "javascript:alert(1)",
    "see https://example.com",
    "https://exam\u202eple.com/",
    "https://a.b/<x>",
    "ftp://a/b",
  ]) {
    expect(linkTarget(no)).toBeUndefined();
  }
});

test("the prefix of a key is its first part, or the first two parts for the tokenizer", () => {
  expect(
    ["general.name", "tokenizer.ggml.tokens", "tokenizer.chat_template", "plain", "", "__proto__.x"].map(prefixOf),
  ).toEqual(["general", "tokenizer.ggml", "tokenizer", "", "", "__proto__"]);
});
