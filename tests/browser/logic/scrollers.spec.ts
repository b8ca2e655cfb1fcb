import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const SOURCE = fileURLToPath(new URL("../../../www/src", import.meta.url));

test("each box that scrolls is the containing block of its parts", async () => {
  const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const rules = (await Promise.all(files.map((name) => readFile(join(SOURCE, name), "utf8"))))
    .flatMap((text) => [...text.matchAll(/([^{};]+)\{([^{}]*overflow(?:-[xy])?: (?:auto|scroll)[^{}]*)\}/g)])
    .map(([, selector = "", declarations = ""]) => ({ selector: selector.trim(), declarations }));
  expect(rules.length).toBeGreaterThan(10);
  const wrong = rules
    // The base styles of all elements have this rule for the element itself. A field has no parts.
    .filter(({ selector }) => !/(?:^|\s)(?::host|textarea|gguf-[a-z-]+)$/.test(selector))
    .filter(({ declarations }) => !declarations.includes("position:"))
    .map(({ selector }) => selector);
  expect(wrong).toEqual([]);
});
