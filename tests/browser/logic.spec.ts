import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import type { GgufErrorCode, TensorInfo } from "gguf-wasm";
import { ggmlTypes, initSync } from "gguf-wasm/init";
import { locationHash } from "../../www/src/app/location-hash.ts";
import { METADATA_STATE_FIELDS } from "../../www/src/metadata/metadata-state.ts";
import { TENSOR_STATE_FIELDS } from "../../www/src/tensors/tensor-state.ts";
import { Turns } from "../../www/src/values/turns.ts";
import { AddressError, fetchableAddress, fileName, pageAbout } from "../../www/src/viewer/address.ts";
import { blockLayout } from "../../www/src/tensors/block-layouts.ts";
import { colourScale, percentile, placeOn, ramp } from "../../www/src/ui/colour-scale.ts";
import { wordsFor } from "../../www/src/gguf/error-texts.ts";
import { failureOf, technicalLine } from "../../www/src/gguf/failure.ts";
import { bytes, float, hex, measure, parameters, percent } from "../../www/src/ui/numbers.ts";
import { barHeight, bars } from "../../www/src/ui/histogram-bars.ts";
import { lookalike } from "../../www/src/gguf/lookalike.ts";
import { matrixOf, rowCoordinates } from "../../www/src/values/matrix.ts";
import { isStacked, rowLabel, rowOfSlice, rowTitle, rowWords, sliceRows } from "../../www/src/values/slices.ts";
import { axisLabels } from "../../www/src/values/axis-labels.ts";
import { sectionOf } from "../../www/src/metadata/metadata-rows.ts";
import { progressShare } from "../../www/src/viewer/progress-share.ts";
import { forget, readRecent, remember } from "../../www/src/app/recent-addresses.ts";
import { countTicks, ticks } from "../../www/src/ui/ticks.ts";
import { isFor, tokenFor } from "../../www/src/app/access-token.ts";
import { Transfer } from "../../www/src/viewer/transfer.ts";
import { clip, linkTarget, segments, visible } from "../../www/src/ui/text.ts";
import {
  blockOf,
  filterTensors,
  groupTensors,
  nextMatch,
  sortTensors,
  tensorRows,
  typeCounts,
} from "../../www/src/tensors/tensor-rows.ts";
import { bitsPerWeight, fileTypeName, typeShares } from "../../www/src/gguf/tensor-types.ts";
import { colourName, OTHER_COLOUR, TYPE_COLOURS } from "../../www/src/gguf/type-colours.ts";
import { linesOf, pageAt, readsOf, within } from "../../www/src/values/value-page.ts";
import { whyNoValues } from "../../www/src/values/why-no-values.ts";

const { parse: parseHash, format: formatHash } = locationHash([
  { name: "metadata", stateFields: METADATA_STATE_FIELDS },
  { name: "tensors", stateFields: TENSOR_STATE_FIELDS },
]);

const BASE = "https://viewer.example/app/";

test.describe("addresses", () => {
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
    test(`${typed || "nothing"} is refused in words`, () => {
      expect(() => fetchableAddress(typed, BASE)).toThrow(AddressError);
    });
  }

  test("a file is called by the last part of its path", () => {
    expect(fileName("https://example.com/a/My%20Model.gguf?x=1")).toBe("My Model.gguf");
    expect(fileName("sample.gguf")).toBe("sample.gguf");
    expect(fileName("https://example.com/%E0%A4%A.gguf")).toBe("https://example.com/%E0%A4%A.gguf");
    expect(pageAbout("https://huggingface.co/a/b/resolve/main/x.gguf?download=true")).toBe(
      "https://huggingface.co/a/b/blob/main/x.gguf",
    );
    expect(pageAbout("https://example.com/resolve/x.gguf")).toBeUndefined();
  });

  test("a hash says what it was made from", () => {
    for (const state of [
      { url: "https://example.com/a b/x.gguf?sig=%2B&y=1#z", view: "tensors" as const, tensor: "blk.0.a&b=c" },
      { file: "модель 1.gguf" },
      { url: "sample.gguf", key: "a+b%20c" },
      {},
    ]) {
      expect(parseHash(formatHash(state))).toEqual(state);
    }
    expect(formatHash({ url: "https://example.com/x.gguf" })).toBe("#url=https://example.com/x.gguf");
  });

  test("a hash says the state of the tables", () => {
    const state = {
      url: "sample.gguf",
      view: "tensors" as const,
      metadata: { search: "a & b=c", offsets: true },
      tensors: {
        filter: "blk.3 ffn,up",
        types: ["Q4_K", "a,b"],
        sort: { column: "bytes" as const, descending: true },
        grouped: true,
        closed: ["", "blk.0", "odd,name&tensor=.1"],
        slice: [3, 1],
      },
      tensor: "blk.3.a",
    };
    expect(parseHash(formatHash(state))).toEqual(state);
    expect(formatHash({ ...state, tensors: { sort: { column: "name", descending: false } }, metadata: {} })).toBe(
      "#url=sample.gguf&view=tensors&tensors.sort=name&tensor=blk.3.a",
    );
    // Parameters of an address that was written by hand are no fields of the tables.
    expect(parseHash("#url=https://example.com/x?sort=name&filter=q4&tensors.filter=ffn")).toEqual({
      url: "https://example.com/x?sort=name&filter=q4",
      tensors: { filter: "ffn" },
    });
  });

  test("a hash with values that are not valid is read without them", () => {
    for (const hash of [
      "tensors.sort=constructor",
      "tensors.sort=--bytes",
      "tensors.sort=",
      "tensors.slice=1,,2",
      "tensors.slice=-1",
      "tensors.group=everything",
      "tensors.types=,,,",
      "tensors.closed=",
      "metadata.offsets=yes",
      "tensors.__proto__=x",
      "__proto__=x",
      "view=constructor",
      "tensors.filter",
    ])
      expect(parseHash(`#${hash}`), hash).toEqual({});
    expect(parseHash(`#tensors.filter=${"x".repeat(100_000)}`).tensors?.filter).toHaveLength(500);
    expect(
      parseHash(`#tensors.closed=${Array.from({ length: 5000 }, (_, i) => i).join(",")}`).tensors?.closed,
    ).toHaveLength(1000);
    expect(parseHash("#tensors.filter=%E0%A4%A")).toEqual({ tensors: { filter: "%E0%A4%A" } });
    // A text that is too long for a link is left out of it, and so is a list.
    expect(formatHash({ metadata: { search: "x".repeat(501) } })).toBe("");
    expect(formatHash({ tensors: { closed: Array.from({ length: 900 }, (_, i) => `blk.${i}`) } })).toBe("");
  });

  test("a hash written by hand may hold an address as it is", () => {
    expect(parseHash("#url=https://example.com/x.gguf?a=1&b=2&view=tensors")).toEqual({
      url: "https://example.com/x.gguf?a=1&b=2",
      view: "tensors",
    });
    expect(parseHash("#url=https://example.com/100%.gguf")).toEqual({ url: "https://example.com/100%.gguf" });
    expect(parseHash("#view=nothing&x")).toEqual({});
  });
});

test.describe("numbers", () => {
  test("sizes are decimal, with three digits", () => {
    expect([0, 1, 999, 1000, 1020, 99_960, 999_600, 4_920_000_000].map(bytes)).toEqual([
      "0 bytes",
      "1 byte",
      "999 bytes",
      "1.00 kB",
      "1.02 kB",
      "100 kB",
      "1.00 MB",
      "4.92 GB",
    ]);
    expect([8_030_261_312, 130_000, 12].map(parameters)).toEqual(["8.03 B", "130 K", "12"]);
  });

  test("what is there is never 0%, what is not all never 100%", () => {
    expect(percent(1, 1e9)).toBe("<0.1%");
    expect(percent(1e9 - 1, 1e9)).toBe(">99.9%");
    expect(percent(1, 3)).toBe("33.3%");
    expect(percent(0, 0)).toBe("0%");
  });

  test("a float32 is shown by the shortest text that means it", () => {
    expect(float(Math.fround(0.00001), 32)).toBe("0.00001");
    expect(float(Math.fround(0.1), 32)).toBe("0.1");
    expect(float(0.1, 64)).toBe("0.1");
    expect(float(-0, 32)).toBe("-0");
    expect(float(Number.NaN, 32)).toBe("NaN");
    expect(float(Math.fround(3.4028235e38), 32)).toBe("3.4028235e+38");
    expect(hex(499)).toBe("0x1f3");
  });

  test("progress is bytes of bytes, as soon as the file has said how much is in it", () => {
    const known = { bytesRead: 50, requests: 1, metadataRead: 3, tensorsRead: 1, headerEstimate: 200 };
    expect(progressShare(known)).toBeUndefined();
    expect(progressShare({ ...known, metadataCount: 6, tensorCount: 2 })).toBe(0.25);
    expect(progressShare({ ...known, metadataCount: 6, tensorCount: 2, headerEstimate: 40 })).toBe(1);
  });
});

test.describe("text", () => {
  test("what cannot be seen is written out", () => {
    expect(visible("a\u202Eb\u0000c\u001b[31m")).toBe("a\\u202eb\\x00c\\x1b[31m");
    expect(segments("x\u202ey", true)[1]).toEqual({ text: "\\u202e", escape: "U+202E right-to-left override" });
    expect(visible("\u{e0041}tag")).toBe("\\u{e0041}tag");
    expect(visible("\ufeffa\u00adb")).toBe("\\ufeffa\\u00adb".replace("\\u00ad", "\\xad"));
  });

  test("a block keeps its lines, one line marks them", () => {
    expect(segments("a\r\nb\tc", false)).toEqual([{ text: "a\r\nb\tc" }]);
    expect(visible("a\nb\tc")).toBe("a↵b⇥c");
  });

  test("joiners stay where they join", () => {
    for (const text of ["👩‍💻", "می‌خواهم", "क्‍ष"]) expect(visible(text)).toBe(text);
    expect(visible("1\u200d2")).toBe("1\\u200d2");
  });

  test("text is never cut inside a character", () => {
    expect(clip("a😀b", 2)).toBe("a");
    expect(clip("a😀b", 3)).toBe("a😀");
  });

  test("only http and https are links, and nothing with tricks in it", () => {
    expect(linkTarget("https://example.com/a?b=c")).toBe("https://example.com/a?b=c");
    for (const no of [
      "javascript:alert(1)",
      "see https://example.com",
      "https://exam\u202eple.com/",
      "https://a.b/<x>",
      "ftp://a/b",
    ]) {
      expect(linkTarget(no)).toBeUndefined();
    }
  });

  test("sections are the first part of a key, two of the tokenizer's", () => {
    expect(
      ["general.name", "tokenizer.ggml.tokens", "tokenizer.chat_template", "plain", "", "__proto__.x"].map(sectionOf),
    ).toEqual(["general", "tokenizer.ggml", "tokenizer", "", "", "__proto__"]);
  });
});

test.describe("what it looks like", () => {
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
      expect(lookalike(latin1(head))).toBe(expected);
    });
  }

  test("every code has words of its own, and an unknown one still an answer", () => {
    // Complete by its type.
    const all: Record<GgufErrorCode | "engine" | "cancelled", true> = {
      "bad-magic": true,
      "unsupported-version": true,
      "unexpected-eof": true,
      "unknown-value-type": true,
      "limit-exceeded": true,
      "too-large": true,
      http: true,
      network: true,
      cors: true,
      timeout: true,
      "headers-withheld": true,
      "bad-range": true,
      "no-ranges": true,
      changed: true,
      "read-failed": true,
      "size-unknown": true,
      "invalid-source": true,
      "invalid-argument": true,
      "unknown-tensor": true,
      "unknown-type": true,
      "out-of-range": true,
      "unknown-key": true,
      "unknown-change": true,
      conflict: true,
      "key-taken": true,
      "name-taken": true,
      "bad-key": true,
      "bad-name": true,
      "does-not-fit": true,
      "bad-alignment": true,
      truncated: true,
      "no-byte-order": true,
      "no-room": true,
      "not-in-place": true,
      "write-failed": true,
      interrupted: true,
      freed: true,
      busy: true,
      internal: true,
      engine: true,
      cancelled: true,
    };
    const codes = Object.keys(all);
    const titles = codes.map((code) => wordsFor({ code, message: "" }).title);
    expect(new Set(titles).size).toBe(codes.length);
    for (const status of [400, 401, 403, 404, 410, 429, 500, 503]) {
      expect(wordsFor({ code: "http", message: "", status, url: "https://h.example/x" }).what).toContain(
        String(status),
      );
    }
    expect(wordsFor({ code: "toString", message: "m" }).what).toBe("m");
    expect(wordsFor({ code: "http", message: "", status: 401, url: "https://huggingface.co/a" }).next[0]).toContain(
      "gated",
    );
  });

  test("a thrown error becomes plain data", () => {
    const error = Object.assign(new Error("cut"), { name: "GgufError", code: "unexpected-eof", offset: 499 });
    expect(failureOf(error)).toEqual({ code: "unexpected-eof", message: "cut", offset: 499 });
    expect(technicalLine(failureOf(error))).toBe("unexpected-eof · offset 0x1f3 (499) · cut");
    expect(failureOf(new DOMException("", "AbortError")).code).toBe("cancelled");
    expect(failureOf("text")).toEqual({ code: "unknown", message: "text" });
  });
});

test.describe("transfers", () => {
  test("a server that keeps silent is given up, but not while the transfer is paused", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200);
      response.write("GGUF");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const transfer = new Transfer(200);
      const response = await transfer.fetch(`http://127.0.0.1:${port}/`, { headers: { Range: "bytes=0-99" } });
      expect(response.url).toBe(`http://127.0.0.1:${port}/`);
      const reader = response.body?.getReader();
      expect((await reader?.read())?.value).toHaveLength(4);
      const next = reader?.read().then(
        () => "read",
        () => "given up",
      );
      transfer.pause();
      const later = new Promise<string>((resolve) => setTimeout(() => resolve("waiting"), 500));
      expect(await Promise.race([next, later])).toBe("waiting");
      transfer.resume();
      expect(await next).toBe("given up");
      expect([transfer.requests, transfer.received, transfer.head.length]).toEqual([1, 4, 4]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

test.describe("tokens", () => {
  test("a token is for one origin", () => {
    const token = tokenFor(" Bearer hf_x ", "https://hf.co/a/b/blob/main/x.gguf", BASE);
    expect(token).toEqual({
      origin: "https://huggingface.co",
      host: "huggingface.co",
      headers: { Authorization: "Bearer hf_x" },
    });
    expect(isFor(token, "huggingface.co/c/d/resolve/main/y.gguf", BASE)).toBe(true);
    for (const other of [
      "http://huggingface.co.example/x.gguf",
      "https://huggingface.co:444/x.gguf",
      "https://cdn.huggingface.co/x.gguf",
      "sample.gguf",
      "nothing:",
      "",
    ]) {
      expect(isFor(token, other, BASE), other).toBe(false);
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
});

test.describe("recent addresses", () => {
  function storage(): () => Storage {
    const kept = new Map<string, string>();
    return () =>
      ({
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => kept.set(key, value),
        removeItem: (key: string) => kept.delete(key),
      }) as unknown as Storage;
  }

  test("eight are kept, newest first, each once", () => {
    const kept = storage();
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5])
      remember({ url: `https://h.example/${n}`, name: `m${n}` }, kept);
    expect(readRecent(kept).map((recent) => recent.name)).toEqual(["m5", "m10", "m9", "m8", "m7", "m6", "m4", "m3"]);
    forget("https://h.example/10", kept);
    expect(readRecent(kept)).toHaveLength(7);
  });

  test("what is stored is not trusted", () => {
    const kept = storage();
    for (const stored of ["{", "null", '{"a":1}', '[1,null,{"url":1},{"url":"","name":""}]']) {
      kept().setItem("recent", stored);
      expect(readRecent(kept), stored).toEqual([]);
    }
    expect(
      readRecent(() => {
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
      "blob:https://h.example/1",
    ])
      remember({ url, name: "" }, kept);
    expect(readRecent(kept)).toEqual([]);
    remember({ url: "https://h.example/x?download=true", name: "" }, kept);
    expect(readRecent(kept)).toHaveLength(1);
  });
});

test.describe("tensors", () => {
  const tensor = (
    index: number,
    name: string,
    type: string,
    elementCount: number,
    byteLength?: number,
  ): TensorInfo => ({
    index,
    name,
    dimensions: [elementCount],
    type,
    typeId: 0,
    elementCount,
    offset: index * 32,
    ...(byteLength === undefined ? {} : { byteLength }),
  });
  const tensors = [
    tensor(0, "token_embd.weight", "Q8_0", 320, 340),
    tensor(1, "blk.10.a.weight", "Q4_K", 256, 144),
    tensor(2, "blk.2.a.weight", "Q4_K", 512, 288),
    tensor(3, "blk.2.b.weight", "unknown(137)", 512),
    tensor(4, "output.weight", "F32", 10, 40),
  ];
  const names = (list: readonly TensorInfo[]) => list.map((item) => item.name);

  test("names count, sizes that are unknown come last", () => {
    expect(names(sortTensors(tensors, { column: "name", descending: false }))).toEqual([
      "blk.2.a.weight",
      "blk.2.b.weight",
      "blk.10.a.weight",
      "output.weight",
      "token_embd.weight",
    ]);
    for (const descending of [false, true]) {
      expect(sortTensors(tensors, { column: "bytes", descending }).at(-1)?.type).toBe("unknown(137)");
    }
    expect(sortTensors(tensors, { column: "bytes", descending: true })[0]?.name).toBe("token_embd.weight");
  });

  test("filters hold all words and any of the types", () => {
    expect(names(filterTensors(tensors, { text: "WEIGHT blk.2", types: new Set() }))).toEqual([
      "blk.2.a.weight",
      "blk.2.b.weight",
    ]);
    expect(filterTensors(tensors, { text: "", types: new Set(["F32", "Q8_0"]) })).toHaveLength(2);
  });

  test("a filter that begins or ends with a digit does not match a part of a number", () => {
    const blocks = [3, 13, 30, 33].map((block, index) => tensor(index, `blk.${block}.ffn_up.weight`, "F32", 10, 40));
    const found = (text: string) => names(filterTensors(blocks, { text, types: new Set() }));
    expect(found("blk.3")).toEqual(["blk.3.ffn_up.weight"]);
    expect(found("3.ffn")).toEqual(["blk.3.ffn_up.weight"]);
    expect(found("30 ffn")).toEqual(["blk.30.ffn_up.weight"]);
    // Without a digit at the edge, any part of a name matches.
    expect(found("blk.")).toHaveLength(4);
    // A later match counts if an earlier one is a part of a number.
    const later = [tensor(0, "blk.30.blk.3.weight", "F32", 10, 40)];
    expect(filterTensors(later, { text: "blk.3", types: new Set() })).toHaveLength(1);
    expect(nextMatch("blk.30.blk.3.weight", "blk.3", 0)).toBe(7);
  });

  test("types are counted among the tensors that match the filter by name", () => {
    expect(typeCounts(tensors, "blk.2")).toEqual(
      new Map([
        ["Q4_K", 1],
        ["unknown(137)", 1],
      ]),
    );
    expect(typeCounts(tensors, "").get("Q4_K")).toBe(2);
  });

  test("groups are blocks, with subtotals", () => {
    expect(["blk.3.attn_q.weight", "v.blk.0.ln1", "model.layers.7.x", "output.weight", "a.1", ""].map(blockOf)).toEqual(
      ["blk.3", "v.blk.0", "model.layers.7", "", "", ""],
    );
    const groups = groupTensors(tensors);
    expect(groups.map(({ name, elements, bytes: size }) => ({ name, elements, size }))).toEqual([
      { name: "", elements: 330, size: 380 },
      { name: "blk.10", elements: 256, size: 144 },
      { name: "blk.2", elements: 1024, size: 288 },
    ]);
    const rows = tensorRows(
      tensors,
      { text: "", types: new Set() },
      { column: "index", descending: false },
      { collapsed: new Set(["blk.2"]) },
    );
    expect(rows.map((row) => (row.kind === "group" ? `[${row.group.name}]` : row.tensor.index))).toEqual([
      "[]",
      0,
      4,
      "[blk.10]",
      1,
      "[blk.2]",
    ]);
  });

  test("types are summed", () => {
    expect(typeShares(tensors).map((share) => [share.type, share.tensors, share.bytes])).toEqual([
      ["Q4_K", 2, 432],
      ["Q8_0", 1, 340],
      ["F32", 1, 40],
      ["unknown(137)", 1, 0],
    ]);
    expect(bitsPerWeight(tensors)).toBeCloseTo((812 * 8) / 1098);
    expect([15, 1024 + 15, 15n, "Q4_K_M", 999, undefined].map(fileTypeName)).toEqual([
      "Q4_K_M",
      "Q4_K_M",
      "Q4_K_M",
      "Q4_K_M",
      undefined,
      undefined,
    ]);
  });
});

test.describe("colours of types", () => {
  const linear = (hex: string) =>
    [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
  const luminance = (hex: string) => {
    const [r, g, b] = linear(hex);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string) => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  // The distance in OKLab: 0.02 is just noticeable side by side.
  const oklab = (hex: string) => {
    const [r, g, b] = linear(hex);
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  };
  const distance = (a: string, b: string) => {
    const other = oklab(b);
    return Math.hypot(...oklab(a).map((part, i) => part - (other[i] ?? 0)));
  };

  test("every type that ggml has in use has a colour of its own", async () => {
    initSync(await readFile(new URL("../../pkg/gguf_wasm_bg.wasm", import.meta.url)));
    const used = ggmlTypes().filter(({ blockSize }) => blockSize > 0);
    expect(used.length).toBeGreaterThan(30);
    expect(used.map(({ name }) => name).filter((name) => colourName(name) !== name)).toEqual([]);
    expect(["unknown(137)", "Q4_2", "toString"].map(colourName)).toEqual(["other", "other", "other"]);
  });

  for (const [theme, at, surfaces] of [
    ["light", 0, ["#ffffff", "#f4f4f1"]],
    ["dark", 1, ["#191c1f", "#202428"]],
  ] as const) {
    test(`in the ${theme} theme, types are told apart and from what is behind them`, () => {
      const colours = [...Object.entries(TYPE_COLOURS), ["other", OTHER_COLOUR] as const];
      for (const [i, [type, own]] of colours.entries()) {
        for (const surface of surfaces) expect(contrast(own[at], surface), `${type} on ${surface}`).toBeGreaterThan(3);
        for (const [other, its] of colours.slice(i + 1))
          expect(distance(own[at], its[at]), `${type} and ${other}`).toBeGreaterThan(0.05);
      }
      // Types that are found in one file are further apart.
      for (const group of [
        ["Q4_0", "Q4_1", "Q4_K", "MXFP4"],
        ["F32", "F16", "BF16"],
        ["F32", "Q4_K", "Q5_K", "Q6_K", "Q8_0"],
      ])
        for (const [i, a] of group.entries())
          for (const b of group.slice(i + 1))
            expect(distance(TYPE_COLOURS[a]?.[at] ?? "", TYPE_COLOURS[b]?.[at] ?? ""), `${a} and ${b}`).toBeGreaterThan(
              0.075,
            );
    });
  }
});

test.describe("colours of numbers", () => {
  const within = (count: number, at: (i: number) => number) => Float32Array.from({ length: count }, (_, i) => at(i));

  test("numbers on both sides of zero have a scale around it, others one of their own", () => {
    expect(colourScale([-1, 3])).toEqual({ kind: "diverging", low: -3, high: 3, below: 0, above: 0 });
    expect(colourScale([2, 5, 3])).toEqual({ kind: "sequential", low: 2, high: 5, below: 0, above: 0 });
    expect(colourScale([-2, 0])).toMatchObject({ kind: "sequential", low: -2, high: 0 });
    expect(colourScale([NaN, Infinity])).toBeUndefined();
    expect(colourScale([NaN, 7])).toMatchObject({ low: 7, high: 7 });
  });

  test("a few outliers lie beyond the scale, numbers that only vary do not", () => {
    const wave = within(1000, (i) => Math.sin(i));
    expect(colourScale(wave)).toMatchObject({ below: 0, above: 0 });
    wave[3] = 1e30;
    wave[4] = -50;
    expect(colourScale(wave)).toMatchObject({ kind: "diverging", below: 1, above: 1 });
    expect(colourScale(wave)?.high).toBeLessThanOrEqual(1);
    const norms = within(1000, (i) => 1 + (i % 10) / 100);
    norms[5] = 40;
    norms[6] = 0;
    expect(colourScale(norms)).toMatchObject({ kind: "sequential", below: 1, above: 1 });
    // Nearly all the same: the few are what there is to see.
    expect(colourScale(within(1000, (i) => (i === 7 ? -3 : i === 8 ? 3 : 0)))).toMatchObject({ high: 3, above: 0 });
  });

  test("a number has its place on the scale, at an end if it lies beyond", () => {
    const scale = { kind: "diverging", low: -2, high: 2, below: 0, above: 0 } as const;
    expect([-9, -2, 0, 1, 9].map((number) => placeOn(scale, number))).toEqual([0, 0, 0.5, 0.75, 1]);
    expect(placeOn({ ...scale, low: 3, high: 3 }, 3)).toBe(0.5);
    const widest = { ...scale, low: -Number.MAX_VALUE, high: Number.MAX_VALUE };
    expect(placeOn(widest, 0)).toBe(0.5);
  });

  test("lightness grows evenly from zero, and blue and orange are told apart without red and green", () => {
    for (const dark of [false, true]) {
      const colours = ramp("diverging", dark);
      const light = (i: number) =>
        0.2126 * (colours[i * 3] ?? 0) + 0.7152 * (colours[i * 3 + 1] ?? 0) + 0.0722 * (colours[i * 3 + 2] ?? 0);
      for (let i = 1; i < 128; i += 1) {
        expect(dark ? light(i - 1) >= light(i) - 0.6 : light(i - 1) <= light(i) + 0.6, `${dark} ${i}`).toBe(true);
      }
      expect(colours[2]).toBeGreaterThan((colours[0] ?? 0) + 40);
      expect(colours[255 * 3]).toBeGreaterThan((colours[255 * 3 + 2] ?? 0) + 40);
    }
  });

  test("percentiles", () => {
    const sorted = Float64Array.of(1, 2, 3, 4);
    expect([0, 0.25, 0.5, 0.51, 1].map((share) => percentile(sorted, share))).toEqual([1, 1, 2, 3, 4]);
  });
});

test.describe("axes", () => {
  const texts = (found: { text: string }[]) => found.map(({ text }) => text);

  test("ticks are round, in as many digits as tell them apart", () => {
    expect(texts(ticks(-1.08, 1.48, 5))).toEqual(["-1.0", "-0.5", "0", "0.5", "1.0"]);
    expect(texts(ticks(0.1384, 0.9531, 4))).toEqual(["0.2", "0.4", "0.6", "0.8"]);
    expect(texts(ticks(-0.0004, 0.0003, 3))).toEqual(["-4e-4", "-2e-4", "0", "2e-4"]);
    expect(texts(ticks(0, 3e7, 3))).toEqual(["0", "1e7", "2e7", "3e7"]);
    expect(texts(ticks(5, 5, 3))).toEqual(["5"]);
    expect(ticks(NaN, NaN, 3)).toEqual([]);
    expect(ticks(-3e38, 3e38, 4).length).toBeGreaterThan(2);
  });

  test("counts are whole, or powers of ten", () => {
    expect(texts(countTicks(18_514, false, 4))).toEqual(["0", "5K", "10K", "15K"]);
    expect(texts(countTicks(2, false, 4))).toEqual(["0", "1", "2"]);
    expect(texts(countTicks(18_514, true, 4))).toEqual(["0", "1", "100", "10K"]);
  });

  test("a histogram has no more bars than there is room for, and loses none of its numbers", () => {
    const histogram = { start: -1, width: 0.01, counts: Float64Array.from({ length: 205 }, () => 2) };
    const found = bars(histogram, 80);
    expect(found).toHaveLength(69);
    expect(found[0]).toEqual({ start: -1, end: -0.97, count: 6 });
    expect(found.at(-1)?.count).toBe(2);
    expect(found.at(-1)?.end).toBeCloseTo(1.05);
    expect(bars({ start: 0, width: 0, counts: new Float64Array() }, 80)).toEqual([]);
    expect([0, 1, 100].map((count) => barHeight(count, 100, false))).toEqual([0, 0.01, 1]);
    expect(barHeight(1, 1_000_000, true)).toBeGreaterThan(0.04);
  });

  test("measured numbers are short", () => {
    expect([0, -0.0123456, 1234567, 1e-7, 0.001, NaN, -Infinity, 12.5, 999_949].map(measure)).toEqual([
      "0",
      "-0.01235",
      "1.235e6",
      "1e-7",
      "0.001",
      "NaN",
      "-∞",
      "12.5",
      "999900",
    ]);
  });
});

test.describe("pages of values", () => {
  const size = { rows: 3, columns: 4 };

  test("a window on the matrix stays inside it", () => {
    const matrix = { rowLength: 10, rows: 5 };
    const page = pageAt(37, "matrix", matrix, size);
    expect(page).toEqual({ order: "matrix", row: 2, column: 6 });
    expect(linesOf(page, matrix, size)).toEqual([
      { head: 2, start: 26, end: 30 },
      { head: 3, start: 36, end: 40 },
      { head: 4, start: 46, end: 50 },
    ]);
    expect(linesOf({ order: "matrix", row: 0, column: 0 }, { rowLength: 2, rows: 1 }, size)).toEqual([
      { head: 0, start: 0, end: 2 },
    ]);
  });

  test("a window on a tensor of several slices stays inside one of them", () => {
    const matrix = { rowLength: 10, rows: 15, sliceRows: 5 };
    const rowAt = (row: number) => within({ order: "matrix", row, column: 0 }, matrix, size).row;
    expect([0, 2, 3, 4, 5, 9, 10, 14, 99, -1].map(rowAt)).toEqual([0, 2, 2, 2, 5, 7, 10, 12, 12, 0]);
  });

  test("elements one after another end in a short line", () => {
    const matrix = { rowLength: 10, rows: 1 };
    expect(linesOf(pageAt(3, "flat", matrix, size), matrix, size)).toEqual([
      { head: 0, start: 0, end: 4 },
      { head: 4, start: 4, end: 8 },
      { head: 8, start: 8, end: 10 },
    ]);
  });

  test("lines are read at once where that reads little more", () => {
    const lines = linesOf({ order: "matrix", row: 0, column: 0 }, { rowLength: 100, rows: 9 }, size);
    expect(readsOf(lines, 1000)).toEqual([{ start: 0, end: 204 }]);
    expect(readsOf(lines, 100)).toEqual([
      { start: 0, end: 4 },
      { start: 100, end: 104 },
      { start: 200, end: 204 },
    ]);
    expect(readsOf([], 100)).toEqual([]);
  });

  test("a row of more than two dimensions has coordinates", () => {
    expect(matrixOf({ dimensions: [7, 3, 2] })).toEqual({ rowLength: 7, rows: 6, sliceRows: 3 });
    expect(matrixOf({ dimensions: [] })).toEqual({ rowLength: 1, rows: 1 });
    expect(rowCoordinates(4, [7, 3, 2])).toEqual([1, 1]);
    expect(rowCoordinates(4, [7, 6])).toEqual([]);
  });
});

test.describe("slices", () => {
  const experts = { name: "blk.0.ffn_down_exps.weight", dimensions: [7, 3, 4] };
  const kernel = { name: "v.patch_embd.weight", dimensions: [7, 3, 4, 2] };
  const plain = { name: "output.weight", dimensions: [7, 3] };

  test("the rows of a slice are those of its place in the tensor", () => {
    expect(sliceRows([2], experts)).toEqual({ start: 6, end: 9 });
    expect(sliceRows([3, 1], kernel)).toEqual({ start: 21, end: 24 });
    expect(rowOfSlice(1, [3, 1], kernel)).toBe(22);
    expect(rowCoordinates(22, kernel.dimensions)).toEqual([1, 3, 1]);
  });

  test("a row is named by its slice", () => {
    const one = (row: number) => ({ start: row, end: row + 1 });
    expect(rowWords(one(7), experts)).toBe("Expert 2 · row 1");
    expect(rowWords({ start: 6, end: 9 }, experts)).toBe("Expert 2 · rows 0–2");
    expect(rowWords({ start: 8, end: 10 }, experts)).toBe("Expert 2 · row 2 to Expert 3 · row 0");
    expect(rowWords(one(22), kernel)).toBe("Dimension 3: 1 · Dimension 2: 3 · row 1");
    expect(rowWords(one(2), plain)).toBe("Row 2");
    expect(rowWords(one(7), { ...experts, name: "conv.weight" })).toBe("Slice 2 · row 1");
    expect([rowTitle(experts), rowTitle(plain), rowTitle(kernel)]).toEqual([
      "Expert · row",
      "Row",
      "Dimension 3 · Dimension 2 · row",
    ]);
    expect([rowLabel(7, experts), rowLabel(22, kernel), rowLabel(2, plain)]).toEqual(["2 · 1", "1 · 3 · 1", "2"]);
    // Trailing dimensions of 1 make no slices.
    expect(isStacked({ dimensions: [7, 3, 1, 1] })).toBe(false);
    expect(rowWords(one(2), { name: "a", dimensions: [7, 3, 1] })).toBe("Row 2");
  });

  test("the axis of a heat map names its first and its last index", () => {
    const cells = Array.from({ length: 64 }, (_, i) => ({ start: i * 10, end: i * 10 + 10 }));
    const labels = axisLabels(cells, 5, String);
    expect(labels.map(({ text }) => text)).toEqual(["0", "160", "320", "470", "639"]);
    expect(labels[0]?.at).toBeCloseTo(0.5 / 64);
    expect(axisLabels(cells.slice(0, 1), 5, String).map(({ text }) => text)).toEqual(["0"]);
    expect(axisLabels(cells.slice(0, 3), 5, String)).toHaveLength(3);
    expect(axisLabels([], 5, String)).toEqual([]);
  });
});

test.describe("types of tensors in words", () => {
  test("every type that has blocks is described, in its own numbers", async () => {
    initSync(await readFile(new URL("../../pkg/gguf_wasm_bg.wasm", import.meta.url)));
    const types = ggmlTypes();
    for (const { name, blockSize, typeSize } of types) {
      const words = blockLayout(name);
      if (blockSize === 0) expect(words, name).toBeUndefined();
      else if (blockSize > 1) expect(words, name).toContain(`of ${blockSize} weights in ${typeSize} bytes`);
      else expect(words, name).toMatch(/^Each number as/);
    }
    expect(types.filter(({ name }) => blockLayout(name) !== undefined)).toHaveLength(35);
  });

  test("why values cannot be shown", () => {
    const tensor = { type: "Q4_0", typeId: 2, dimensions: [32, 2], elementCount: 64, byteLength: 36 };
    const q4 = { id: 2, name: "Q4_0", blockSize: 32, typeSize: 18 };
    const unsized = { type: "Q4_0", typeId: 2, dimensions: [33], elementCount: 33 };
    expect(whyNoValues(tensor, q4)).toBeUndefined();
    expect(whyNoValues({ ...tensor, typeId: 137 }, undefined)).toContain("type 137");
    expect(whyNoValues(tensor, { ...q4, blockSize: 0, typeSize: 0 })).toContain("removed");
    expect(whyNoValues({ ...tensor, elementCount: 0 }, q4)).toContain("no elements");
    expect(whyNoValues(unsized, q4)).toContain("33 elements is not made of whole blocks of 32");
    expect(whyNoValues({ ...unsized, dimensions: [2 ** 40, 2 ** 40] }, q4)).toContain("more elements");
  });
});

test.describe("taking turns", () => {
  test("a few go ahead at a time, in order; who has left is passed over", async () => {
    const turns = new Turns(2);
    const done: string[] = [];
    const gates = new Map<string, () => void>();
    const work = (name: string) => () =>
      new Promise<void>((resolve) => {
        done.push(name);
        gates.set(name, resolve);
      });
    const { signal } = new AbortController();
    const leaving = new AbortController();
    const first = turns.take(signal, work("a"));
    void turns.take(signal, work("b"));
    const left = turns.take(leaving.signal, work("c"));
    const last = turns.take(signal, work("d"));
    expect(done).toEqual(["a", "b"]);
    leaving.abort();
    await expect(left).rejects.toThrow("aborted");
    gates.get("a")?.();
    await first;
    await expect.poll(() => done).toEqual(["a", "b", "d"]);
    gates.get("d")?.();
    await last;
    await turns.take(signal, () => Promise.resolve(done.push("e")));
    expect(done).toEqual(["a", "b", "d", "e"]);
  });
});
