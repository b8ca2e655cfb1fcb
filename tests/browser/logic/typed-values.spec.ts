import { expect, test } from "@playwright/test";
import { integerRange } from "gguf-wasm/common/number-texts.js";
import { hexText, parseHex, utf8Text } from "../../../www/src/edit/hex.ts";
import {
  editText,
  elementsOf,
  newTypeOf,
  parseElements,
  parseScalar,
  type ScalarType,
} from "../../../www/src/edit/new-values.ts";
import { fromField, needsEscapes, toField } from "../../../www/src/edit/string-text.ts";

for (const [type, text, value] of [
  ["UINT8", "0", 0],
  ["UINT8", "255", 255],
  ["UINT8", "0xff", 255],
  ["INT8", "-128", -128],
  ["INT16", "+32767", 32767],
  ["UINT32", "4,294,967,295", 4294967295],
  ["UINT32", "128_256", 128256],
  ["INT32", "-2147483648", -2147483648],
  ["UINT64", "18446744073709551615", 18446744073709551615n],
  ["INT64", "-9223372036854775808", -9223372036854775808n],
  ["INT64", "7", 7n],
  ["FLOAT32", "0.5", 0.5],
  ["FLOAT32", " 1e-5 ", Math.fround(1e-5)],
  ["FLOAT64", "1e308", 1e308],
  ["FLOAT64", ".5", 0.5],
  ["FLOAT32", "NaN", NaN],
  ["FLOAT32", "-inf", -Infinity],
  ["FLOAT64", "Infinity", Infinity],
  ["BOOL", "TRUE", true],
  ["BOOL", "0", false],
  ["STRING", " a ", " a "],
] as const) {
  test(`${type} ${text} is ${String(value)}`, () => {
    expect(parseScalar(type, text)).toMatchObject({ value });
  });
}

for (const [type, text] of [
  ["UINT8", "256"],
  ["UINT8", "-1"],
  ["INT8", "128"],
  ["UINT64", "18446744073709551616"],
  ["INT64", "-9223372036854775809"],
  ["UINT32", "1.5"],
  ["UINT32", "1e3"],
  ["UINT32", "1,00"],
  ["UINT32", ""],
  ["UINT32", "ten"],
  ["FLOAT32", "3.5e38"],
  ["FLOAT32", "-3.5e38"],
  ["FLOAT64", "1e309"],
  ["FLOAT64", "1,5"],
  ["FLOAT64", "."],
  ["BOOL", "yes"],
  ["STRING", "\ud800"],
] as const) {
  test(`${type} ${JSON.stringify(text)} is refused with a message`, () => {
    expect(parseScalar(type, text).problem).toMatch(/^\S.*\.$/);
  });
}

test("a remark says that a number is rounded", () => {
  expect(parseScalar("FLOAT32", "0.1").remark).toBeUndefined();
  expect(parseScalar("FLOAT32", "16777217").remark).toBe("Stored as 16777216, the nearest FLOAT32.");
  expect(parseScalar("FLOAT64", "1e-400").remark).toBe("Stored as 0, the nearest FLOAT64.");
});

test("every number converts to a text and back", () => {
  for (const [type, values] of [
    ["FLOAT32", [0.1, 1e-45, 3.4028234663852886e38, -0, NaN, -Infinity].map(Math.fround)],
    ["FLOAT64", [0.1, 5e-324, Number.MAX_VALUE, -0, NaN]],
    ["UINT64", [0n, 2n ** 64n - 1n]],
    ["INT8", [-128, 127]],
  ] as [ScalarType, (number | bigint)[]][]) {
    for (const value of values) expect(parseScalar(type, editText(value, type)).value).toBe(value);
  }
});

test("ranges are exact", () => {
  expect(integerRange("INT64")).toEqual({ least: -(2n ** 63n), most: 2n ** 63n - 1n });
  expect(integerRange("FLOAT32")).toBeUndefined();
});

test("elements are typed one per line", () => {
  expect(parseElements("STRING", "a\n\nb").value).toEqual(["a", "", "b"]);
  expect(parseElements("INT32", "1\n2\n").value).toEqual([1, 2]);
  expect(parseElements("INT32", "").value).toEqual([]);
  expect(parseElements("UINT8", "1\n300").problem).toMatch(
    /^Line 2: This number is too large for UINT8, which holds 0 to 255/,
  );
  expect(elementsOf("UINT64", [1n, 2n])).toEqual(BigUint64Array.of(1n, 2n));
  expect(newTypeOf("UINT32", 1)).toBe("UINT32");
});

for (const value of [
  "",
  "one line",
  "a\nb\n",
  "a\r\nb\r\n  ",
  "a\rb",
  "a\r\nb\n",
  "nul\0l",
  "\u001b[0m \\ \t\n",
  "\ufeff\u202e\u200b",
  "\u{1f600}\r",
  "\u0085",
]) {
  test(`${JSON.stringify(value)} is preserved`, () => {
    expect(fromField(toField(value))).toEqual({ value });
    expect(fromField(toField(value, true))).toEqual({ value });
    // A text field normalises line breaks. That must lose nothing.
    const field = toField(value);
    expect(field.text.replace(/\r\n?/g, "\n")).toBe(field.text);
  });
}

test("only texts that a field would change need escapes", () => {
  expect(needsEscapes("a\r\nb")).toBe(false);
  expect(needsEscapes("a\\b\u200b")).toBe(false);
  expect(needsEscapes("a\r\nb\nc")).toBe(true);
  expect(toField("a\\b\0").text).toBe("a\\\\b\\0");
});

test("invalid escapes are refused", () => {
  for (const text of ["\\", "\\q", "\\u{110000}", "\\ud800"])
    expect(fromField({ text, escaped: true, lineEnd: "lf" }).problem).toBeDefined();
  expect(fromField({ text: "\\x41\\u0042\\u{1f600}\\n", escaped: true, lineEnd: "lf" })).toEqual({ value: "AB😀\n" });
});

test("bytes are typed in hexadecimal", () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, at) => at * 13);
  expect(parseHex(hexText(bytes)).value).toEqual(bytes);
  expect(parseHex("0x61, 0xFF").value).toEqual(Uint8Array.of(0x61, 0xff));
  expect(parseHex("6").problem).toBe("The last byte has only one digit. Type two digits for each byte.");
  expect(parseHex("6g").problem).toBe("“g” is not a hexadecimal digit.");
  expect(utf8Text(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
  expect(utf8Text(Uint8Array.of(0xff))).toBeUndefined();
});
