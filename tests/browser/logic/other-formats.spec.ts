import { expect, test } from "@playwright/test";
import { recogniseFormat } from "../../../www/src/gguf/other-formats.ts";

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
for (const [head, expected] of [
  ["<!DOCTYPE html><html>", "html"],
  ["\n  <html lang=en>", "html"],
  ["PK\x03\x04rest", "zip"],
  ['\x40\x01\0\0\0\0\0\0{"__metadata__":{}', "safetensors"],
  ["tjgg\x03\0\0\0", "ggml"],
  ["version https://git-lfs.github.com/spec/v1\noid sha256:00", "lfs-pointer"],
  ['{"error":"not found"}', "json"],
  ["\x1f\x8b\x08\0", "gzip"],
  ["\x80\x02}q\0", "pickle"],
  ["Entry not found", "text"],
  ["", "empty"],
  ["GGUF", undefined],
  ["GG", undefined],
  ["\x00\x01\x02\x03\x04", undefined],
] as const) {
  test(`${JSON.stringify(head).slice(0, 24)} is ${expected ?? "nothing known"}`, () => {
    expect(recogniseFormat(latin1(head))).toBe(expected);
  });
}
