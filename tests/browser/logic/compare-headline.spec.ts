import { expect, test } from "@playwright/test";
import { amountAtOnce } from "../../../www/src/compare/amounts.ts";
import { contextWords, errorFigures, errorSentence, sizeWords } from "../../../www/src/compare/headline.ts";
import { comparableCount } from "../../../www/src/compare/words.ts";

test("the headline answers with size, bits, context and error", () => {
  const a = { size: 4_920_000_000, bits: 4.891 };
  const b = { size: 5_732_000_000, bits: 5.7 };
  expect(sizeWords(a, b)).toBe("B is 812 MB larger, with 4.89 → 5.70 bits per weight.");
  expect(sizeWords(b, a)).toBe("B is 812 MB smaller, with 5.70 → 4.89 bits per weight.");
  expect(sizeWords(a, { ...a })).toBe("Both files have 4.92 GB, with 4.89 bits per weight in both.");
  expect(sizeWords({ size: undefined, bits: 4 }, b)).toBe("B has 4.00 → 5.70 bits per weight.");
  expect(sizeWords({ size: undefined, bits: undefined }, b)).toBe("");

  const card = "12 GB card";
  expect(contextWords({ card, a: 52_480, b: 38_144 })).toBe("On your 12 GB card: 52,480 → 38,144 tokens of context.");
  expect(contextWords({ card, a: 8192, b: 8192 })).toBe("On your 12 GB card, both have 8,192 tokens of context.");
  expect(contextWords({ card, a: 8192, b: "none" })).toBe(
    "On your 12 GB card, A has 8,192 tokens of context; B does not fit whole.",
  );
  expect(contextWords({ card, a: "none", b: "none" })).toBe("Neither fits whole on your 12 GB card.");
  expect(contextWords({ card, a: undefined, b: 8192 })).toBe("");
});

test("the error is that of the median tensor, and the largest one with its name", () => {
  const pair = (a: number, nmse: number) => ({ a, b: a, data: "different", values: { nmse, isSampled: true } });
  const pairs = new Map([0.3, 0, 0.1, 0.2].map((nmse, i) => [i, pair(i, nmse)]));
  const tensors = ["q", "k", "v", "o"].map((name) => ({ name }));
  const figures = errorFigures(pairs as never, tensors as never);
  expect(figures).toEqual({ median: 0.2, largest: 0.3, name: "q", isSampled: true });
  expect(figures && errorSentence(figures)).toBe(
    "Error of B against A (NMSE, of a sample): 0.2 in the median tensor, at most 0.3 in q.",
  );
  expect(errorFigures(undefined, [])).toBeUndefined();
});

test("only tensors with the same type can have equal bytes", () => {
  const of = (equal: number) => comparableCount({ counts: { tensors: { equal, renamed: 0, changed: 44 } } } as never);
  expect([of(13), of(0)]).toEqual([13, 0]);
});

test("a small part of a download is compared at once", () => {
  expect(amountAtOnce(5e9, false)).toBe(32 * 2 ** 20);
  expect(amountAtOnce(5e9, true)).toBe(8 * 2 ** 20);
  expect(amountAtOnce(1e6, true)).toBe("whole");
});
