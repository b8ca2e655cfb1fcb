import { expect, test } from "@playwright/test";
import { type Hashes, parseRepository } from "gguf-wasm/full";
import { compare } from "../../../www/src/hash/comparison.ts";
import { algorithmOf, covers, hashRequest, parseExpected } from "../../../www/src/hash/expected.ts";
import { isOnHub } from "../../../www/src/hash/hub-hashes.ts";
import type { ModelHashes } from "../../../www/src/hash/model-hashes.ts";

const SHA256 = "ab".repeat(32);
const OTHER = "cd".repeat(32);
const UUID = "01234567-89ab-5def-8123-456789abcdef";

test("a pasted text is a hash, a list of checksums or a manifest", () => {
  for (const [text, digest] of [
    [` ${SHA256.toUpperCase()}\n`, SHA256],
    [`sha256:${SHA256}`, SHA256],
    ["0123456789abcdef", "0123456789abcdef"],
    [UUID, UUID],
  ] as const)
    expect(parseExpected(text), text).toEqual({ kind: "digest", digest });
  const files = [
    { name: "a.gguf", sha256: SHA256 },
    { name: "b.gguf", sha256: OTHER },
  ];
  expect(parseExpected(`${SHA256}  folder/a.gguf\r\n${OTHER} *b.gguf\r\n`)).toMatchObject({ kind: "files", files });
  expect(parseExpected(`SHA256 (a.gguf) = ${SHA256}`)).toMatchObject({ kind: "files", files: files.slice(0, 1) });
  expect(parseExpected(`sha256    ${SHA256}  a.gguf:t`)).toMatchObject({ kind: "manifest" });
  expect(parseExpected("hello")).toMatchObject({ kind: "manifest" });
  expect(parseExpected("  \n")).toBeUndefined();
});

test("a long text is read in linear time", () => {
  const size = 16 * 2 ** 20;
  // In quadratic time, one of these texts would take hours.
  for (const [kind, text] of [
    ["manifest", `sha256${" ".repeat(size)}x`],
    ["manifest", `sha256${":".repeat(size)}x`],
    ["manifest", `sha256${" :".repeat(size / 2)}x`],
    ["manifest", "7".repeat(size)],
    ["manifest", `x${" ".repeat(size)}x`],
    ["manifest", `SHA256 (${") = ".repeat(size / 4)}`],
    ["manifest", `${SHA256}  ${" ".repeat(size)}x`],
    ["manifest", `x${"\n".repeat(size)}x`],
    ["manifest", `${SHA256}  a${"\r\n \t".repeat(size / 4)}x`],
    [undefined, " ".repeat(size)],
    ["digest", `sha256${" ".repeat(10_000)}: ${SHA256}`],
    ["files", `${`${SHA256}  folder/a.gguf\n`.repeat(100_000)}`],
  ] as const)
    expect(parseExpected(text)?.kind, text.slice(0, 20)).toBe(kind);
});

test("only what a comparison needs is computed", () => {
  const digest = (text: string) => hashRequest(parseExpected(text) ?? { kind: "manifest", text }, []);
  expect(digest(SHA256)).toEqual({ algorithms: ["sha256"], tensors: false, file: true });
  expect(digest(UUID)).toEqual({ algorithms: ["uuid"], tensors: false, file: false });
  expect(digest(`${SHA256}  a.gguf`)).toEqual({ algorithms: [], tensors: false, file: true });
  expect(hashRequest({ kind: "manifest", text: "" }, ["sha1", "xxh64"])).toEqual({
    algorithms: ["sha1"],
    tensors: true,
    file: false,
  });
  expect(algorithmOf("a".repeat(40))).toBe("sha1");
  const all = { algorithms: ["sha256", "sha1"], tensors: true, file: true } as const;
  expect(covers(all, digest(SHA256))).toBe(true);
  expect(covers({ ...all, file: false }, digest(SHA256))).toBe(false);
  expect(covers(all, digest(UUID))).toBe(false);
  expect(covers({ ...all, tensors: false }, { algorithms: ["sha1"], tensors: true, file: false })).toBe(false);
});

function computed(files: ModelHashes["files"], check?: Partial<ReturnType<Hashes["check"]>>): ModelHashes {
  const result = { algorithm: "xxh64", result: "match", lines: [], unlisted: [], ...check };
  return {
    request: { algorithms: ["sha256"], tensors: true, file: true },
    hashes: { data: { sha256: OTHER }, tensors: [], check: () => result } as unknown as Hashes,
    files,
    fileName: "a.gguf",
  };
}

test("a hash is that of the file or that of the tensor data", () => {
  const own = computed([{ name: "a.gguf", sha256: SHA256 }]);
  const result = (digest: string) => compare({ kind: "digest", digest }, own);
  expect(result(SHA256)).toMatchObject({ result: "match", title: "The hash is the SHA-256 of the whole file a.gguf" });
  expect(result(OTHER)).toMatchObject({ result: "match", title: "The hash is that of all tensor data" });
  expect(result("ef".repeat(32))).toMatchObject({
    result: "mismatch",
    differing: [
      { name: "a.gguf", actual: SHA256 },
      { name: "All tensor data", actual: OTHER },
    ],
  });
});

test("checksums of files are compared by name, and a single one with the open file", () => {
  const files = (...listed: { name: string; sha256: string }[]) => ({
    kind: "files" as const,
    files: listed,
    from: "the list",
  });
  const one = computed([{ name: "a.gguf", sha256: SHA256 }]);
  expect(compare(files({ name: "renamed.gguf", sha256: SHA256 }), one)).toMatchObject({ result: "match" });
  expect(compare(files({ name: "renamed.gguf", sha256: OTHER }), one)).toMatchObject({
    result: "mismatch",
    title: "1 file differs from the list",
  });
  const two = computed([
    { name: "a", sha256: SHA256 },
    { name: "b", sha256: SHA256 },
    { name: "c", sha256: SHA256 },
  ]);
  const listed = files({ name: "a", sha256: SHA256 }, { name: "b", sha256: OTHER }, { name: "x", sha256: OTHER });
  expect(compare(listed, two)).toEqual({
    result: "mismatch",
    title: "1 file differs from the list",
    differing: [{ name: "b", expected: OTHER, actual: SHA256 }],
    missing: ["x"],
    unlisted: ["c"],
  });
  expect(compare(files({ name: "x", sha256: OTHER }, { name: "y", sha256: OTHER }), two).result).toBe("nothing-found");
});

test("of several checksums with one name, that of the file's folder is compared", () => {
  const list = `${SHA256}  Q4/a.gguf\n${OTHER}  ./Q8/a.gguf\n`;
  const compared = (text: string, file: { path?: string; sha256: string }) => {
    const expected = parseExpected(text);
    if (!expected) throw new Error("the text is not empty");
    return compare(expected, computed([{ name: "a.gguf", ...file }]));
  };
  const path = (folder: string) => `/owner/name/resolve/main/${folder}/a.gguf`;
  for (const [folder, sha256] of [
    ["Q4", SHA256],
    ["Q8", OTHER],
  ] as const)
    expect(compared(list, { path: path(folder), sha256 })).toMatchObject({
      result: "match",
      title: "The file agrees with the list of checksums",
    });
  // The file in Q8 is that of Q4.
  expect(compared(list, { path: path("Q8"), sha256: SHA256 })).toEqual({
    result: "mismatch",
    title: "1 file differs from the list of checksums",
    differing: [{ name: "a.gguf", expected: OTHER, actual: SHA256 }],
    missing: ["Q4/a.gguf"],
    unlisted: [],
  });
  // A line without a folder is that of the file at the top.
  const top = `${OTHER}  Q8/a.gguf\n${SHA256}  a.gguf\n`;
  expect(compared(top, { path: "/files/a.gguf", sha256: SHA256 })).toMatchObject({
    result: "match",
    missing: ["Q8/a.gguf"],
  });
  // The folder of a local file, or another folder, tells nothing.
  for (const file of [{}, { path: path("other") }])
    for (const sha256 of [SHA256, OTHER])
      expect(compared(list, { ...file, sha256 })).toMatchObject({ result: "match", missing: [], differing: [] });
  const third = "ef".repeat(32);
  expect(compared(list, { sha256: third })).toEqual({
    result: "mismatch",
    title: "1 file differs from the list of checksums. Several lines have its name, and none agrees",
    differing: [
      { name: "Q4/a.gguf", expected: SHA256, actual: third },
      { name: "./Q8/a.gguf", expected: OTHER, actual: third },
    ],
    missing: [],
    unlisted: [],
  });
});

test("the result of a manifest names the tensors that differ", () => {
  const line = (tensor: string | undefined, result: "match" | "mismatch" | "not-in-file") => ({
    ...(tensor === undefined ? {} : { tensor }),
    expected: "e",
    ...(result === "not-in-file" ? {} : { actual: "a" }),
    result,
  });
  const check = (...args: [result: "match" | "mismatch" | "nothing-found", ...lines: ReturnType<typeof line>[]]) =>
    compare({ kind: "manifest", text: "" }, computed([], { result: args[0], lines: args.slice(1) as never }));
  expect(check("match", line("t", "match"), line("u", "match")).title).toBe("2 tensors agree with the manifest");
  expect(check("match", line(undefined, "match")).title).toBe("The tensor data agrees with the manifest");
  expect(check("mismatch", line("t", "mismatch"), line("u", "match"), line(undefined, "mismatch"))).toMatchObject({
    title: "1 tensor differs from the manifest",
    differing: [{ name: "t" }, { name: "All tensor data" }],
  });
  expect(check("mismatch", line(undefined, "mismatch")).title).toBe("The tensor data differs from the manifest");
  expect(check("match", line("t", "match"), line("u", "not-in-file"), line("v", "not-in-file"))).toMatchObject({
    result: "mismatch",
    title: "2 tensors of the manifest are not in this file",
    missing: ["u", "v"],
  });
  expect(check("mismatch", line("t", "match"), line("u", "not-in-file"), line(undefined, "mismatch")).title).toBe(
    "1 tensor of the manifest is not in this file",
  );
  expect(check("mismatch", line("t", "mismatch"), line("u", "not-in-file")).title).toBe(
    "1 tensor differs from the manifest, and 1 tensor of the manifest is not in this file",
  );
  expect(check("nothing-found", line("t", "not-in-file"))).toMatchObject({ missing: ["t"] });
});

test("a manifest that does not have all tensors of the file, or has those of another file, too", () => {
  const lines = [{ tensor: "t", expected: "e", actual: "e", result: "match" }] as const;
  const check = (of: Partial<ReturnType<Hashes["check"]>>, own: string[]) => {
    const { hashes, ...rest } = computed([], { lines, ...of });
    const tensors = own.map((name) => ({ name })) as unknown as Hashes["tensors"];
    return compare({ kind: "manifest", text: "" }, { ...rest, hashes: { ...hashes, tensors } as unknown as Hashes });
  };
  expect(check({ unlisted: ["u", "v"] }, ["t", "u", "v"])).toMatchObject({
    result: "partial",
    title: "All listed tensors match; 2 tensors of this file are not in the manifest",
    unlisted: ["u", "v"],
  });
  // The hash of all tensor data includes each tensor.
  const all = [{ expected: "e", actual: "e", result: "match" }] as const;
  expect(check({ lines: all, unlisted: ["t"] }, ["t"])).toMatchObject({ result: "match", unlisted: [] });
  // The second line is about the same tensor of another file.
  const two = [...lines, { tensor: "t", expected: "f", result: "not-in-file" }] as const;
  expect(check({ lines: two }, ["t"])).toMatchObject({
    result: "match",
    title: "1 tensor agrees with the manifest",
    missing: [],
  });
});

test("the addresses of files on Hugging Face", () => {
  const check = (address: string) => isOnHub(address, parseRepository);
  for (const path of [
    "owner/name/resolve/main/a.gguf?download=true",
    "owner/name/resolve/refs%2Fpr%2F1/Q4%20K/b/a.gguf",
    "datasets/owner/name/resolve/main/a.gguf",
    "gpt2/resolve/main/a.gguf",
  ])
    expect(check(`https://huggingface.co/${path}`), path).toBe(true);
  for (const address of [
    "https://huggingface.co/owner/name/blob/main/a.gguf",
    "https://huggingface.co/owner/name/resolve/main",
    "https://huggingface.co/owner/name/resolve/main/a.bin",
    "https://example.com/owner/name/resolve/main/a.gguf",
    "sample.gguf",
  ])
    expect(check(address), address).toBe(false);
});
