import { expect, test } from "@playwright/test";
import { parseRepository } from "gguf-wasm/full";
import { AddressError, fetchableAddress, fileName, pageOf } from "../../../www/src/gguf/address.ts";
import {
  ambiguity,
  placeName,
  placeOfFile,
  placeOfLink,
  placeOfPage,
  repositoryPage,
  searchWords,
  typedPlace,
} from "../../../www/src/gguf/repository-place.ts";

const BASE = "https://viewer.example/app/";

for (const [typed, fetched] of [
  ["https://huggingface.co/a/b/blob/main/x.gguf", "https://huggingface.co/a/b/resolve/main/x.gguf"],
  [
    "https://hf.co/a/b/blob/main/dir/x.gguf?download=true",
    "https://huggingface.co/a/b/resolve/main/dir/x.gguf?download=true",
  ],
  ["huggingface.co/a/b/blob/refs%2Fpr%2F1/x.gguf", "https://huggingface.co/a/b/resolve/refs%2Fpr%2F1/x.gguf"],
  ["https://huggingface.co/a/b/resolve/main/x.gguf", "https://huggingface.co/a/b/resolve/main/x.gguf"],
  ["https://huggingface.co/gpt2/blob/main/x.gguf", "https://huggingface.co/gpt2/resolve/main/x.gguf"],
  ["https://huggingface.co/datasets/a/b/blob/main/x.gguf", "https://huggingface.co/datasets/a/b/resolve/main/x.gguf"],
  ["https://huggingface.co/a/blob/resolve/main/x.gguf", "https://huggingface.co/a/blob/resolve/main/x.gguf"],
  ["https://huggingface.co/a/b?show_file_info=x.gguf", "https://huggingface.co/a/b/resolve/main/x.gguf"],
  ["https://huggingface.co/a/b/tree/v2/q4?show_file_info=x.gguf", "https://huggingface.co/a/b/resolve/v2/q4/x.gguf"],
  ["https://github.com/a/b/blob/master/models/x.gguf", "https://raw.githubusercontent.com/a/b/master/models/x.gguf"],
  ["https://example.com/blob/x.gguf?a=1&b=%20#part", "https://example.com/blob/x.gguf?a=1&b=%20#part"],
  ["  <https://example.com/x.gguf> ", "https://example.com/x.gguf"],
  ["localhost:8080/x.gguf", "http://localhost:8080/x.gguf"],
  ["sample.gguf", "https://viewer.example/app/sample.gguf"],
  ["models/my model.gguf", "https://viewer.example/app/models/my%20model.gguf"],
  ["models/x.gguf?download=1", "https://viewer.example/app/models/x.gguf?download=1"],
  ["./download/5", "https://viewer.example/app/download/5"],
  ["/data/x.gguf", "https://viewer.example/data/x.gguf"],
  ["модель.gguf", "https://viewer.example/app/%D0%BC%D0%BE%D0%B4%D0%B5%D0%BB%D1%8C.gguf"],
  ["v1.5/x.gguf", "https://viewer.example/app/v1.5/x.gguf"],
  ["example.com/x.gguf", "https://example.com/x.gguf"],
  ["models.example.com:8443/a/x.gguf", "https://models.example.com:8443/a/x.gguf"],
  ["192.168.1.5:8080/x.gguf", "http://192.168.1.5:8080/x.gguf"],
  ["[::1]:8080/x.gguf", "http://[::1]:8080/x.gguf"],
  ["server:8080/x.gguf", "http://server:8080/x.gguf"],
  ["localhost:8080", "http://localhost:8080/"],
] as const) {
  test(`${typed} is fetched from ${fetched}`, () => {
    expect(fetchableAddress(typed, BASE)).toBe(fetched);
  });
}

for (const typed of [
  "",
  "file:///model.gguf",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://user:secret@example.com/x.gguf",
  "https://huggingface.co/a/b",
  "https://huggingface.co/a/b/tree/main",
  "http://",
]) {
  test(`${typed || "nothing"} is refused with a message`, () => {
    expect(() => fetchableAddress(typed, BASE)).toThrow(AddressError);
  });
}

for (const [typed, ...words] of [
  [
    "hello world",
    "“hello world” is not an address",
    "https://example.com/model.gguf",
    "owner/name",
    "models/model.gguf",
  ],
  ["...", "“...” is not an address"],
  ["?!", "is not an address"],
  ["/", "is not an address"],
  ["model.bin", "“model.bin” is not an address"],
  ["example.com", "is not an address"],
  ["::1/x.gguf", "is not an address"],
  ["http://", "“http://” is not an address"],
  ["https//example.com/x.gguf", "the colon after http or https is missing"],
  ["x".repeat(5000), `“${"x".repeat(70)}`, "…"],
  ["C:\\models\\x.gguf", "path on a device", "choose the file, or drop it here"],
  ["c:/models/x.gguf", "path on a device"],
  ["\\\\server\\x.gguf", "path on a device"],
  ["/home/me/x.gguf", "“/home/me/x.gguf” is a path on a device"],
  ["~/x.gguf", "path on a device"],
  ["file:///home/me/x.gguf", "A person must choose the file"],
  ["llama3:8b", "Ollama", "owner/name"],
  ["owner/name:Q4_K_M", "Ollama"],
  ["hf.co/owner/name:Q4_K_M", "Type owner/name, and choose the file in the list"],
  ["me@example.com", "is an email address"],
  ["ftp://example.com/x.gguf", "not ftp"],
  ["javascript:alert(1)", "not javascript"],
  ["a\u202eb", "\\u202e"],
] as const) {
  test(`${typed.slice(0, 40)} is explained`, () => {
    for (const word of words) expect(() => fetchableAddress(typed, BASE)).toThrow(word);
    // No explanation is longer than a few lines, whatever was typed.
    expect(() => fetchableAddress(typed, BASE)).toThrow(/^.{1,400}$/);
  });
}

test("the name of a file is the last part of its path", () => {
  expect(fileName("https://example.com/a/My%20Model.gguf?x=1")).toBe("My Model.gguf");
  expect(fileName("sample.gguf")).toBe("sample.gguf");
  expect(fileName("https://example.com/%E0%A4%A.gguf")).toBe("https://example.com/%E0%A4%A.gguf");
  expect(pageOf("https://huggingface.co/a/b/resolve/main/x.gguf?download=true")).toBe(
    "https://huggingface.co/a/b/blob/main/x.gguf",
  );
  expect(pageOf("https://example.com/resolve/x.gguf")).toBeUndefined();
});

for (const [typed, repository] of [
  ["owner/name", "owner/name"],
  [" hub:owner/name@v2/Q4 ", "owner/name@v2/Q4"],
  ["https://huggingface.co/owner/name", "owner/name"],
  ["hf.co/owner/name/", "owner/name"],
  ["<https://huggingface.co/owner/name/tree/main/Q4%20K>", "owner/name/Q4 K"],
  ["https://huggingface.co/owner/name/tree/refs%2Fpr%2F1", "owner/name@refs%2Fpr%2F1"],
  ["https://huggingface.co/datasets/owner/name", "datasets/owner/name"],
  ["https://huggingface.co/owner/name/discussions/5", "owner/name"],
] as const) {
  test(`${typed} is the repository ${repository}`, () => {
    expect(typedPlace(typed, parseRepository)).toEqual({ repository });
    // Links have the name after `hub:`.
    expect(typedPlace(`hub:${repository}`, parseRepository)).toEqual({ repository });
  });
}

test("a relative address with folders can be a place of a repository", () => {
  for (const typed of ["owner/name/x.gguf", " owner/name/Q4", "<owner/name@v1/x.gguf>"])
    expect(ambiguity(typed, parseRepository)).toContain(
      `Type hub:${typed.trim().replace(/[<>]/g, "")} for Hugging Face`,
    );
  for (const typed of [
    "x.gguf",
    "models/x.gguf",
    "./owner/name/x.gguf",
    "/owner/name/x.gguf",
    "example.com/owner/x.gguf",
    "localhost:80/owner/x.gguf",
    "https://example.com/owner/name/x.gguf",
    "owner/../name/x.gguf",
  ])
    expect(ambiguity(typed, parseRepository), typed).toBeUndefined();
});

test("the page of a place is that of its repository", () => {
  const hub = "https://huggingface.co";
  expect(repositoryPage("owner/name@v1/Q4")).toBe(`${hub}/owner/name`);
  expect(repositoryPage("owner/name/missing folder")).toBe(`${hub}/owner/name`);
  expect(repositoryPage("datasets/owner/name/Q4")).toBe(`${hub}/datasets/owner/name`);
  expect(repositoryPage("../../x")).toBe(hub);
});

test("an address that is no repository says what to type", () => {
  expect(() => fetchableAddress("https://huggingface.co/owner", BASE)).toThrow(/^This is not a file or a repository/);
  expect(() => fetchableAddress("hub:owner", BASE)).toThrow(/Type hub:owner\/name\/file.gguf/);
});

test("a name with a file is the file", () => {
  const file = "https://huggingface.co/owner/name/resolve/main/Q4%20K/x.gguf";
  expect(typedPlace("hub:owner/name/Q4 K/x.gguf", parseRepository)).toEqual({ file });
});

for (const typed of [
  "",
  "sample.gguf",
  "models/x.gguf",
  "./models/x",
  "https://example.com/owner/name",
  "https://huggingface.co/a/b/blob/main/x.gguf",
  "huggingface.co/a/b/resolve/main/x.gguf",
  "huggingface.co/a/b/blob/main/x.bin",
  "https://huggingface.co/a/b?show_file_info=x.gguf",
  "https://huggingface.co/docs/hub",
]) {
  test(`${typed || "nothing"} is not a repository`, () => {
    expect(typedPlace(typed, parseRepository)).toBeUndefined();
  });
}

for (const [typed, words] of [
  ["qwen3", "qwen3"],
  ["  llama 3.1   8b ", "llama 3.1 8b"],
  ["Qwen2.5", "Qwen2.5"],
  ["модель", "модель"],
  ["unsloth/qwen3 4b", "unsloth/qwen3 4b"],
] as const) {
  test(`${typed} is searched for`, () => {
    expect(searchWords(typed, parseRepository)).toBe(words);
  });
}

for (const typed of [
  "",
  "?!",
  "owner/name",
  "hub:owner/name",
  "owner/name/x.gguf",
  "x.gguf",
  "./x",
  "/x",
  "model.bin",
  "example.com",
  "example.com/x",
  "localhost:8080/x",
  "https://example.com/x",
  "javascript:alert(1)",
  "llama3:8b",
  "me@example.com",
  "C:\\models",
  `hf_${"aB3".repeat(11)}`,
  `Bearer hf_${"aB3".repeat(11)}`,
  "x ".repeat(101),
]) {
  test(`${typed.slice(0, 40) || "nothing"} is not searched for`, () => {
    expect(searchWords(typed, parseRepository)).toBeUndefined();
  });
}

test("an access token in the field for addresses is neither searched for nor quoted", () => {
  const token = `hf_${"aB3".repeat(11)}`;
  expect(searchWords(token, undefined)).toBeUndefined();
  expect(() => fetchableAddress(token, BASE)).toThrow(/^This looks like an access token of Hugging Face(?!.*aB3)/);
  // Names of models may begin with the same letters.
  expect(searchWords("hf_qwen3", parseRepository)).toBe("hf_qwen3");
});

test("a text with a slash is not searched for without the module: it may be a repository", () => {
  expect(searchWords("owner/name", undefined)).toBeUndefined();
  expect(searchWords("qwen3 4b", undefined)).toBe("qwen3 4b");
});

for (const page of [
  "https://huggingface.co/owner/name",
  "https://huggingface.co/owner/name/",
  "https://hf.co/owner/name/tree/main",
  "https://huggingface.co/owner/name/tree/main/Q4%20K",
  "https://huggingface.co/owner/name/tree/refs%2Fpr%2F1/Q4/x?library=gguf#top",
  "https://huggingface.co/datasets/owner/name",
  "https://huggingface.co/spaces/owner/name/tree/main",
]) {
  test(`the place of ${page} is that of the package`, () => {
    const place = parseRepository(page);
    expect(place).toBeDefined();
    expect(placeOfPage(page)).toBe(place && placeName(place));
  });
}

test("pages about a repository stand for it, and files and other pages do not", () => {
  expect(placeOfPage("https://huggingface.co/owner/name/discussions/3")).toBe("owner/name");
  expect(placeOfPage("https://huggingface.co/owner/name/tree/%E0%A4%A")).toBe("owner/name");
  // Nothing leads out of the repository.
  for (const rest of ["main/x%2F..%2F..%2Fother", "..%2F..", "main/..%2Fx", "main/x%2F.", ".%2Fx"])
    expect(placeOfPage(`https://huggingface.co/owner/name/tree/${rest}`), rest).toBe("owner/name");
  expect(placeOfPage("https://huggingface.co/owner/name/tree/v1..2/.x/y.")).toBe("owner/name@v1..2/.x/y.");
  for (const other of [
    "https://huggingface.co/owner/name/blob/main/x.gguf",
    "https://huggingface.co/owner/name/resolve/main/x.gguf",
    "https://huggingface.co/owner/name?show_file_info=x.gguf",
    "https://huggingface.co/owner",
    "https://huggingface.co/docs/hub/api",
    "https://huggingface.co/models?search=x",
    "https://huggingface.co.evil.example/owner/name",
    "https://example.com/owner/name",
    "owner/name",
    "sample.gguf",
  ])
    expect([other, placeOfPage(other)]).toEqual([other, undefined]);
});

test("a link names a repository by its page or by its name", () => {
  expect(placeOfLink("https://huggingface.co/owner/name")).toBe("owner/name");
  expect(placeOfLink("owner/Some-Model_2.5-GGUF")).toBe("owner/Some-Model_2.5-GGUF");
  expect(placeOfLink(" hub:owner/name ")).toBe("owner/name");
  for (const other of [
    "models/x.gguf",
    "example.com/x",
    "localhost/x",
    "./a/b",
    "a/b/c",
    "name",
    "owner/",
    "/a",
    "a b/c",
  ])
    expect([other, placeOfLink(other)]).toEqual([other, undefined]);
});

test("a file on the hub leads to its repository", () => {
  expect(placeOfFile("https://huggingface.co/owner/name/resolve/main/model.safetensors")).toBe("owner/name");
  expect(placeOfFile("https://hf.co/owner/name/blob/v1/a/b.safetensors?x=1")).toBe("owner/name");
  for (const other of [
    "https://example.com/owner/name/resolve/main/x",
    "https://huggingface.co/owner/name",
    "x.safetensors",
  ])
    expect([other, placeOfFile(other)]).toEqual([other, undefined]);
});
