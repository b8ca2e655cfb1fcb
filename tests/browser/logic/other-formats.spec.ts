import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { recogniseFormat } from "../../../www/src/gguf/other-formats.ts";

/** The first bytes of files, each as a character, and their formats. The command line recognises the same. */
const cases: { head: string; format: string | null }[] = JSON.parse(
  readFileSync("tests/fixtures/other-formats.json", "utf8"),
);
for (const { head, format } of cases) {
  test(`${JSON.stringify(head).slice(0, 24)} is ${format ?? "nothing known"}`, () => {
    expect(recogniseFormat(Uint8Array.from(head, (char) => char.charCodeAt(0)))).toBe(format ?? undefined);
  });
}
