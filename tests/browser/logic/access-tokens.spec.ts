import { expect, test } from "@playwright/test";
import { AddressError } from "../../../www/src/gguf/address.ts";
import { isTokenFor, tokenFor } from "../../../www/src/app/access-token.ts";

const BASE = "https://viewer.example/app/";

test("a token is valid for one origin", () => {
  const token = tokenFor(" Bearer hf_x ", "https://hf.co/a/b/blob/main/x.gguf", BASE);
  expect(token).toEqual({
    origin: "https://huggingface.co",
    host: "huggingface.co",
    headers: { Authorization: "Bearer hf_x" },
  });
  expect(isTokenFor(token, "huggingface.co/c/d/resolve/main/y.gguf", BASE)).toBe(true);
  for (const other of [
    "http://huggingface.co.example/x.gguf",
    "https://huggingface.co:444/x.gguf",
    "https://cdn.huggingface.co/x.gguf",
    "sample.gguf",
    "nothing:",
    "",
  ]) {
    expect(isTokenFor(token, other, BASE), other).toBe(false);
  }
});

for (const [typed, address] of [
  ["", "https://example.com/x.gguf"],
  ["two words", "https://example.com/x.gguf"],
  ["line\nbreak", "https://example.com/x.gguf"],
  ["ключ", "https://example.com/x.gguf"],
  ["hf_x", "http://example.com/x.gguf"],
  ["hf_x", "http://127.example.com/x.gguf"],
  ["hf_x", "blob:https://example.com/1"],
  ["hf_x", "ftp://example.com/x.gguf"],
] as const) {
  test(`${JSON.stringify(typed)} for ${address} is refused`, () => {
    expect(() => tokenFor(typed, address, BASE)).toThrow(AddressError);
  });
}
