import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const SOURCE = fileURLToPath(new URL("../../../www/src", import.meta.url));

/** What matches in the source of the page, with the names of the files. */
async function declarations(pattern: RegExp): Promise<string[]> {
  const names = (await readdir(SOURCE, { recursive: true })).filter((name) => /\.(?:ts|css)$/.test(name));
  const found = await Promise.all(
    names.map(async (name) =>
      [...(await readFile(join(SOURCE, name), "utf8")).matchAll(pattern)].map(([text]) => `${name}: ${text.trim()}`),
    ),
  );
  return found.flat();
}

test("texts have the sizes that styles.ts names, so that they follow the text size of the browser", async () => {
  const styles = await readFile(join(SOURCE, "ui/styles.ts"), "utf8");
  const steps = new Set([...styles.matchAll(/(--gguf-text-\w+): calc\(/g)].map(([, name]) => name));
  expect(steps.size).toBe(8);
  const fonts = await declarations(/(?<![\w-])font(?:-size)?"?: [^;{}]+/g);
  expect(fonts.length).toBeGreaterThan(300);
  const isRelative = (font: string) =>
    !/\d(?:px|pt)\b/.test(font) && [...font.matchAll(/--gguf-text-\w+/g)].every(([name]) => steps.has(name));
  expect(fonts.filter((font) => !isRelative(font))).toEqual([]);
});

test("a layout changes at a width in units of the text size", async () => {
  const queries = await declarations(/@(?:container|media) .*(?:width|height): .*/g);
  expect(queries.length).toBeGreaterThan(30);
  expect(queries.filter((query) => /(?:px|rem)\b/.test(query))).toEqual([]);
});
