import { expect, test } from "@playwright/test";
import {
  forgetAddress,
  formatPlace,
  readRecentAddresses,
  rememberAddress,
} from "../../../www/src/app/recent-addresses.ts";

function storage(): () => Storage {
  const kept = new Map<string, string>();
  return () =>
    ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    }) as unknown as Storage;
}

test("the list keeps eight addresses, the newest first, each once", () => {
  const kept = storage();
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5])
    rememberAddress({ url: `https://h.example/${n}`, name: `m${n}` }, kept);
  expect(readRecentAddresses(kept).map((recent) => recent.name)).toEqual([
    "m5",
    "m10",
    "m9",
    "m8",
    "m7",
    "m6",
    "m4",
    "m3",
  ]);
  forgetAddress("https://h.example/10", kept);
  expect(readRecentAddresses(kept)).toHaveLength(7);
});

test("a repository keeps its name in links", () => {
  const kept = storage();
  const repository = { url: "https://huggingface.co/owner/name", name: "owner/name", repo: "owner/name@v2" };
  rememberAddress(repository, kept);
  expect(readRecentAddresses(kept)).toEqual([repository]);
  expect(formatPlace(repository, "https://viewer.example/")).toBe("Repository · huggingface.co");
});

test("invalid stored data is ignored", () => {
  const kept = storage();
  for (const stored of [
    "{",
    "null",
    '{"a":1}',
    '[1,null,{"url":1},{"url":"","name":""},{"url":"u","name":"n","repo":1}]',
  ]) {
    kept().setItem("recent", stored);
    expect(readRecentAddresses(kept), stored).toEqual([]);
  }
  expect(
    readRecentAddresses(() => {
      throw new DOMException("", "SecurityError");
    }),
  ).toEqual([]);
});

test("signed links are not kept", () => {
  const kept = storage();
  for (const url of [
    "https://h.example/x?X-Amz-Signature=1",
    "https://h.example/x?a=1&Signature=2",
    "https://h.example/x?sig=1",
    "https://h.example/x?access_token=1",
    "https://h.example/x?apikey=1",
    "https://h.example/x?api-key=1",
    "https://h.example/x?a=1&password=2",
    "https://h.example/x?a=1;pwd=2",
    "https://h.example/x?client_secret=1",
    "https://h.example/x?Authorization=1",
    "https://h.example/x?x%2Damz%2Dsecurity%2Dtoken=1",
    "https://h.example/x?X-Amz-Credential=1",
    "https://h.example/x?%61pikey=1",
    "https://h.example/x#access_token=1",
    "https://h.example/x?auth",
    "https://user:pass@h.example/x",
    "https:user@h.example/x",
    "//user@h.example/x",
    "blob:https://h.example/1",
  ])
    rememberAddress({ url, name: "" }, kept);
  expect(readRecentAddresses(kept)).toEqual([]);
  for (const url of ["https://h.example/x?download=true", "https://h.example/a@b/x", "models/a@b.gguf"])
    rememberAddress({ url, name: "" }, kept);
  expect(readRecentAddresses(kept)).toHaveLength(3);
  // An address that was stored before.
  kept().setItem("recent", JSON.stringify([{ url: "https://h.example/x?secret=1", name: "x" }]));
  expect(readRecentAddresses(kept)).toEqual([]);
});
