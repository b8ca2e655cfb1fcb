// `Gguf.memory`, `Gguf.largestContext` and `Gguf.fit`. The figures are those of the Rust function, which is compared with llama.cpp.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { assertFrozen } from "./expect.mjs";

/**
 * A model of two layers with 2 heads of 16 elements for keys and values, and 100 tokens.
 *
 * @param {[string, import("../../support/gguf-bytes.mjs").Value][]} [more]
 */
function model(more = []) {
  const entries = new Map([
    ["general.architecture", text("llama")],
    ["llama.context_length", uint32(4096)],
    ["llama.block_count", uint32(2)],
    ["llama.embedding_length", uint32(64)],
    ["llama.feed_forward_length", uint32(96)],
    ["llama.attention.head_count", uint32(4)],
    ["llama.attention.head_count_kv", uint32(2)],
    ["llama.vocab_size", uint32(100)],
    ...more,
  ]);
  const tensors = [
    { name: "token_embd.weight", dimensions: [64, 100], type: 0, bytes: 25_600 },
    { name: "blk.0.attn_norm.weight", dimensions: [64], type: 0, bytes: 256 },
    { name: "blk.1.attn_norm.weight", dimensions: [64], type: 0, bytes: 256 },
    { name: "output_norm.weight", dimensions: [64], type: 0, bytes: 256 },
  ];
  return Gguf.open(ggufBytes([...entries], tensors));
}

/**
 * The model with another architecture.
 *
 * @param {string} name
 */
const modelOf = (name) =>
  model([
    ["general.architecture", text(name)],
    [`${name}.block_count`, uint32(2)],
  ]);

describe("memory", () => {
  test("has every part of a small model, in bytes", async () => {
    const estimate = (await model()).memory();
    assertFrozen(estimate);
    assert.equal(estimate.architecture, "llama");
    assert.equal(estimate.contextLength, 4096);
    assert.deepEqual(estimate.weights, {
      input: 25_600,
      layerBytes: [256, 256],
      output: 256,
      tiedOutput: 25_600,
      total: 26_368,
    });
    // Two layers, 4096 cells, two heads of 16 elements, two bytes each.
    const cache = {
      kind: "full",
      layerIndices: [0, 1],
      cells: 4096,
      streams: 1,
      keyBytes: 524_288,
      valueBytes: 524_288,
      layerBytes: [524_288, 524_288],
    };
    assert.deepEqual(estimate.caches, [cache]);
    assert.equal(estimate.outputBytes, 400);
    assert.ok(!("state" in estimate));
    // The layers, the output with the tied embedding, and the cache.
    assert.deepEqual(estimate.bytesPerToken, [26_368 + 1_048_576, 0]);
    const [gpu, cpu] = estimate.devices;
    assert.deepEqual([gpu.name, cpu.name], ["GPU", "CPU"]);
    assert.deepEqual([gpu.weights, cpu.weights], [26_368, 25_600]);
    assert.deepEqual([gpu.cache, cpu.cache, cpu.output], [1_048_576, 0, 400]);
    // The CPU prepares the inputs of 512 tokens: ids (twice, because a batch can mix tokens and embeddings), positions and outputs of 4
    // bytes, places of keys, of values and of rows of 8 bytes, two embeddings of 64 numbers, and a mask of 4096 cells. It may also look up
    // the embeddings.
    const inputs = 512 * (4 * 4 + 3 * 8 + 2 * 4 * 64 + 2 * 4096);
    assert.deepEqual(cpu.compute, { low: inputs, high: inputs + 512 * 4 * 64 });
    const { low = NaN, high = NaN } = estimate.compute ?? {};
    const sum = (/** @type {"low" | "high"} */ end) => (gpu.compute?.[end] ?? NaN) + (cpu.compute?.[end] ?? NaN);
    assert.deepEqual([sum("low"), sum("high")], [low, high]);
    const parts = 25_600 + 256 + 256 + 256 + 1_048_576;
    assert.equal(gpu.total?.high, parts + (gpu.compute?.high ?? NaN));
    assert.equal(estimate.trainedContextLength, 4096);
    assert.deepEqual(estimate.notes, []);
    const keys = estimate.formulas.find(({ part }) => part === "Keys of the full cache");
    assert.deepEqual([keys?.bytes, keys?.formula], [524_288, "2 layers × 4096 cells × 1 stream × 64 bytes of F16"]);
  });

  test("follows each option", async () => {
    const gguf = await model([["llama.attention.key_length", uint32(32)]]);
    const of = (/** @type {import("gguf-wasm/full").MemoryOptions} */ options) => {
      const { contextLength, caches, devices } = gguf.memory(options);
      const [{ cells, streams, keyBytes, valueBytes } = assert.fail("no cache")] = caches ?? [];
      return { contextLength, cells, streams, keyBytes, valueBytes, onGpu: devices[0].cache };
    };
    const base = of({ contextLength: 1000 });
    assert.deepEqual(base, {
      contextLength: 1024,
      cells: 1024,
      streams: 1,
      keyBytes: 262_144,
      valueBytes: 131_072,
      onGpu: 393_216,
    });
    assert.deepEqual(of({ contextLength: 1000, sequences: 3 }), {
      ...base,
      contextLength: 1536,
      cells: 512,
      streams: 3,
      keyBytes: 393_216,
      valueBytes: 196_608,
      onGpu: 589_824,
    });
    assert.deepEqual(of({ contextLength: 1000, sequences: 3, unified: true }), base);
    assert.equal(of({ contextLength: 1000, keyType: "q8_0" }).keyBytes, 139_264);
    assert.equal(of({ contextLength: 1000, valueType: "F32" }).valueBytes, 262_144);
    assert.equal(of({ contextLength: 1000, gpuLayers: 0 }).onGpu, 0);
    assert.equal(of({ contextLength: 1000, gpuLayers: 1 }).onGpu, 0);
    assert.equal(of({ contextLength: 1000, gpuLayers: 2 }).onGpu, 196_608);
    const high = (/** @type {import("gguf-wasm/full").MemoryOptions} */ options) =>
      gguf.memory(options).compute?.high ?? NaN;
    assert.ok(high({ microBatch: 256 }) < high({}) && high({ batch: 256 }) < high({}));
    assert.ok(high({ flashAttention: false }) > high({}));
  });

  test("says which parts are not known, and why", async () => {
    const estimate = (await modelOf("no-such-architecture")).memory();
    assert.deepEqual(
      [estimate.caches, estimate.compute, estimate.outputBytes, estimate.weights?.total],
      [undefined, undefined, undefined, 26_368],
    );
    const note = "how llama.cpp keeps the context of no-such-architecture is not known here.";
    assert.equal(estimate.notes[0], `Only the size of the tensors is known: ${note}`);
    for (const device of estimate.devices) {
      for (const part of /** @type {const} */ (["cache", "state", "compute", "total"]))
        assert.ok(!(part in device), part);
      assert.equal(typeof device.weights, "number");
    }
    // A sum with an unknown part is not known.
    const both = (await model()).memory({ beside: [estimate] });
    for (const { weights, cache, total } of both.devices)
      assert.deepEqual([typeof weights, cache, total], ["number", undefined, undefined]);
    const found = (await model()).fit({ gpuBytes: 2 ** 30, beside: [estimate], cacheTypes: ["F16"] });
    assert.deepEqual([found.choices[0]?.devices[0].total, found.notes.length], [undefined, 1]);
  });

  test("says that a context is longer than that of the training", async () => {
    const gguf = await model();
    assert.deepEqual(gguf.memory({ contextLength: 4096 }).notes, []);
    const [note = ""] = gguf.memory({ contextLength: 8192 }).notes;
    assert.match(
      note,
      /^The model was trained with 4096 tokens, fewer than the 8192 of a sequence\. llama\.cpp allocates/,
    );
    assert.match(note, /--override-kv llama\.context_length=int:8192/);
  });

  test("has several cards, tensors on other devices, and a cache on the CPU", async () => {
    const gguf = await model();
    const [gpu, cpu] = gguf.memory().devices;
    const weights = (/** @type {import("gguf-wasm/full").MemoryOptions} */ options) =>
      gguf.memory(options).devices.map(({ name, weights }) => [name, weights]);
    // Two of three layers, of which the output is one.
    assert.deepEqual(weights({ tensorSplit: [2, 1] }), [
      ["GPU 0", 512],
      ["GPU 1", 25_856],
      ["CPU", 25_600],
    ]);
    assert.deepEqual(
      gguf.memory({ noKvOffload: true }).devices.map(({ cache }) => cache),
      [cpu.cache, gpu.cache],
    );
    // The flags `g` and `y` would continue at the end of the last match.
    for (const pattern of [/blk\.\d\./g, /^blk/y, "attn_norm", /ATTN/i]) {
      const moved = weights({ overrideTensors: [{ pattern, device: "CPU" }] });
      assert.deepEqual(
        moved.map(([, bytes]) => bytes),
        [25_856, 26_112],
        String(pattern),
      );
    }
    const first = {
      overrideTensors: [
        { pattern: "blk.1", device: 0 },
        { pattern: "blk", device: "CPU" },
      ],
    };
    assert.deepEqual(weights(/** @type {any} */ (first))[1], ["CPU", 25_856]);
    const refused = { name: "GgufError", code: "invalid-argument" };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assert.throws(() => gguf.memory({ overrideTensors: [/** @type {any} */ (proxy)] }), refused);
    for (const [options, message] of /** @type {const} */ ([
      [{ tensorSplit: [0, 0] }, /the shares must be numbers from 0 on/],
      [{ tensorSplit: [1, -1] }, /tensorSplit is an array, expected an array of numbers from 0 on/],
      [{ tensorSplit: [1, "2"] }, /expected an array of numbers/],
      [{ tensorSplit: [1, undefined] }, /the shares must be numbers from 0 on/],
      [{ tensorSplit: "3,1" }, /tensorSplit is "3,1", expected an array of numbers/],
      [
        { overrideTensors: [{ pattern: "(", device: "CPU" }] },
        /overrideTensors is an array, expected an array of \{ pattern, device \}/,
      ],
      [{ overrideTensors: [{ pattern: 5, device: "CPU" }] }, /a regular expression/],
      [{ overrideTensors: [{ pattern: "x", device: "GPU" }] }, /"CPU" or the number of a card/],
      [{ overrideTensors: [{ pattern: "x" }] }, /overrideTensors/],
      [{ overrideTensors: [{ pattern: "blk", device: 1 }] }, /card 1, which is not there/],
      [{ overrideTensors: ["x=CPU"] }, /overrideTensors/],
      [{ overrideTensors: 5 }, /overrideTensors is 5, expected an array of \{ pattern, device \}/],
      [{ bandwidths: [-1] }, /bandwidths is an array, expected an array of numbers/],
      [{ bandwidths: "936" }, /bandwidths is "936"/],
    ])) {
      assert.throws(() => gguf.memory(/** @type {any} */ (options)), { ...refused, message }, JSON.stringify(options));
    }
  });

  test("bounds the tokens in a second by the bandwidths", async () => {
    const gguf = await model();
    const { bytesPerToken: [gpu, cpu] = [NaN, NaN] } = gguf.memory({ gpuLayers: 2 });
    const speed = (/** @type {(number | undefined)[]} */ ...bandwidths) =>
      gguf.memory({ gpuLayers: 2, bandwidths }).tokensPerSecond;
    assert.equal(speed(1e9, 1e8), 1 / (gpu / 1e9 + cpu / 1e8));
    for (const bandwidths of [[], [1e9], [1e9, undefined], [undefined, 1e8], [1e9, 0]]) {
      assert.equal(speed(...bandwidths), undefined, String(bandwidths));
    }
    assert.equal(gguf.memory({ bandwidths: [1e9] }).tokensPerSecond, 1e9 / (26_368 + 1_048_576));
  });

  test("has all devices as one memory, and the sum of the parts that are known", async () => {
    const { devices, together } = (await model()).memory({ gpuLayers: 1 });
    const sum = (/** @type {(device: import("gguf-wasm/full").MemoryDevice) => number | undefined} */ part) =>
      devices.reduce((all, device) => all + (part(device) ?? NaN), 0);
    assert.equal(together.name, "GPU and CPU");
    assert.equal(
      together.weights,
      sum(({ weights }) => weights),
    );
    assert.deepEqual(together.total, { low: sum(({ total }) => total?.low), high: sum(({ total }) => total?.high) });
    assert.deepEqual(together.known, together.total);
    const unknown = (await modelOf("no-such-architecture")).memory().devices[0];
    assert.deepEqual([unknown.total, unknown.known], [undefined, { low: 26_368, high: 26_368 }]);
  });

  test("adds the devices of files beside the model", async () => {
    const gguf = await model();
    const alone = gguf.memory();
    const both = gguf.memory({ beside: [alone, alone] });
    for (const [index, device] of both.devices.entries()) {
      const { weights = NaN, cache = NaN, compute } = alone.devices[index] ?? assert.fail();
      const high = compute?.high ?? NaN;
      assert.deepEqual([device.weights, device.cache, device.compute?.high], [3 * weights, 3 * cache, 3 * high]);
    }
    assert.deepEqual({ ...both, devices: alone.devices, together: alone.together }, alone);
    for (const beside of [5, "x", [1], [{}], [{ devices: [] }], [{ devices: [{}, {}] }], [null]]) {
      const call = () => gguf.memory({ beside: /** @type {any} */ (beside) });
      assert.throws(call, { name: "GgufError", code: "invalid-argument" }, JSON.stringify(beside));
    }
  });

  test("refuses options of no use, and what llama.cpp refuses", async () => {
    const gguf = await model();
    const cases = [
      [{ contextLength: 0 }, /contextLength is 0, expected a number from 1 on/],
      [{ contextLength: "8k" }, /contextLength is "8k"/],
      [{ sequences: 257 }, /must be 1 to 256/],
      [{ batch: NaN }, /batch is NaN/],
      [{ sequences: 1.5 }, /sequences is 1.5, expected a whole number/],
      [{ gpuLayers: 0.5 }, /gpuLayers is 0.5, expected a whole number/],
      [{ contextLength: Infinity }, /contextLength is Infinity, expected a whole number/],
      [{ contextLength: 2 ** 32 }, /the context is too long/],
      [{ unified: 1 }, /unified is 1, expected true or false/],
      [{ keyType: "int4" }, /keyType is "int4", expected the name of a tensor type/],
      [{ keyType: "Q6_K" }, /the type of a cache is Q6_K, expected one of F32 F16/],
      [{ keyType: "Q8_0" }, /no multiple of its block size/],
      [{ flashAttention: false, valueType: "Q8_0" }, /without flash attention/],
    ];
    for (const [options, message] of cases) {
      const call = () => gguf.memory(/** @type {any} */ (options));
      assert.throws(call, { name: "GgufError", code: "invalid-argument", message: /** @type {RegExp} */ (message) });
    }
  });
});

describe("largestContext", () => {
  test("is the inverse of memory", async () => {
    const gguf = await model();
    const most = (/** @type {number} */ contextLength) => {
      const [gpu] = gguf.memory({ contextLength }).devices;
      return gpu.total?.high ?? NaN;
    };
    for (const length of [256, 4096, 1_000_192]) {
      assert.equal(gguf.largestContext({ bytes: most(length) }), length);
      assert.equal(gguf.largestContext({ bytes: most(length) - 1 }), length === 256 ? undefined : length - 256);
    }
    // What is beside the model takes its part of the memory.
    const beside = [gguf.memory({ contextLength: 256 })];
    assert.equal(gguf.largestContext({ bytes: most(4096) + most(256), beside }), 4096);
    assert.equal(gguf.largestContext({ bytes: most(4096) + most(256) - 1, beside }), 3840);
    // A draft model has a context, too.
    const draft = await model();
    assert.equal(gguf.largestContext({ bytes: 2 * most(4096), draft }), 4096);
    assert.equal(gguf.largestContext({ bytes: 2 * most(4096) - 1, draft }), 3840);
    const { together } = gguf.memory({ contextLength: 4096, beside: [gguf.memory({ contextLength: 4096 })] });
    const bytes = together.total?.high ?? NaN;
    assert.equal(gguf.largestContext({ bytes, draft, sharedMemory: true }), 4096);
    assert.equal(gguf.largestContext({ bytes: bytes - 1, draft, sharedMemory: true }), 3840);
    const both = { bytes, beside: [gguf.memory({ contextLength: 4096 })], sharedMemory: true };
    assert.equal(gguf.largestContext(both), 4096);
    assert.equal(gguf.largestContext({ ...both, bytes: bytes - 1 }), 3840);
    assert.throws(() => gguf.largestContext(/** @type {any} */ ({ bytes, draft: {} })), { code: "invalid-argument" });
    // Nothing on the GPU grows with the context.
    assert.equal(gguf.largestContext({ bytes: 0, gpuLayers: 0 }), 4_294_967_040);
  });

  test("is undefined if the context is not known, and refuses missing or wrong sizes", async () => {
    const unknown = await modelOf("no-such-architecture");
    assert.equal(unknown.largestContext({ bytes: 1e15 }), undefined);
    for (const bytes of [undefined, -1, "24 GB", NaN]) {
      const call = () => unknown.largestContext(/** @type {any} */ ({ bytes }));
      assert.throws(call, { name: "GgufError", code: "invalid-argument", message: /bytes/ });
    }
  });
});

describe("fit", () => {
  const GIB = 2 ** 30;

  test("has the settings for a machine, and what they cost as memory() has it", async () => {
    // Q8_0 has blocks of 32 elements.
    const gguf = await model([
      ["llama.attention.key_length", uint32(32)],
      ["llama.attention.value_length", uint32(32)],
    ]);
    const found = gguf.fit({ gpuBytes: GIB });
    assertFrozen(found);
    assert.deepEqual({ ...found, choices: found.choices.length }, { fits: true, choices: 2, notes: [] });
    const { devices, together, bytesPerToken, longestContext, ...choice } =
      found.choices[0] ?? assert.fail("nothing fits");
    assert.deepEqual(choice, {
      gpuLayers: 3,
      allLayers: true,
      cpuExperts: 0,
      keyType: "F16",
      valueType: "F16",
      cacheLoss: "none",
      contextLength: 4096,
      cpuShare: 0,
    });
    const estimate = gguf.memory({ contextLength: 4096 });
    assert.deepEqual([devices, together], [estimate.devices, estimate.together]);
    assert.deepEqual(bytesPerToken, estimate.bytesPerToken);
    assert.equal(longestContext, gguf.largestContext({ bytes: GIB }));
    assert.deepEqual([found.choices[1]?.keyType, found.choices[1]?.cacheLoss], ["Q8_0", "small"]);
  });

  test("moves layers to the CPU, and says what is missing", async () => {
    const gguf = await model();
    const nothing = { gpuBytes: 0, cacheTypes: ["f16"] };
    const [choice = assert.fail("nothing fits")] = gguf.fit(nothing).choices;
    assert.deepEqual([choice.gpuLayers, choice.allLayers, choice.cpuShare], [0, false, 1]);
    const { contextLength, keyType, valueType, gpuLayers, cpuExperts } = choice;
    const [, cpu] = gguf.memory({ contextLength, keyType, valueType, gpuLayers, cpuExperts }).devices;
    const needed = cpu.total?.high ?? NaN;
    assert.equal(gguf.fit({ ...nothing, machineBytes: needed }).fits, true);
    const short = gguf.fit({ ...nothing, machineBytes: needed - 7 });
    assert.deepEqual(short, { fits: false, choices: [], missingBytes: 7, notes: [] });
    // The file beside takes its part of both.
    const beside = [gguf.memory({ gpuLayers: 0 })];
    const [{ devices } = assert.fail("nothing fits")] = gguf.fit({
      ...nothing,
      beside,
      machineBytes: 2 * needed,
    }).choices;
    assert.equal(devices[1].weights, 2 * (cpu.weights ?? NaN));
    assert.equal(gguf.fit({ ...nothing, beside, machineBytes: needed }).fits, false);
  });

  test("keeps a context that is given, unless it may be shorter", async () => {
    const gguf = await model();
    const bytes = (/** @type {number} */ contextLength) => {
      const [{ total }] = gguf.memory({ contextLength }).devices;
      return total?.high ?? NaN;
    };
    const options = { gpuBytes: bytes(2048), contextLength: 4096, cacheTypes: ["F16"] };
    assert.ok((gguf.fit(options).choices[0]?.gpuLayers ?? 3) < 3);
    const [choice = assert.fail("nothing fits")] = gguf.fit({ ...options, leastContext: 512 }).choices;
    assert.deepEqual([choice.gpuLayers, choice.contextLength], [3, 2048]);
  });

  test("fills several cards, keeps what is given, and bounds the speed", async () => {
    const gguf = await model();
    const [one = assert.fail()] = gguf.fit({ gpuBytes: [GIB], cacheTypes: ["F16"] }).choices;
    assert.deepEqual([one.tensorSplit, one.devices.length], [undefined, 2]);
    const cards = { gpuBytes: [GIB, GIB], contextLength: 4096, cacheTypes: ["F16"], bandwidths: [1e9, 1e9] };
    const [two = assert.fail()] = gguf.fit(cards).choices;
    const { tensorSplit = assert.fail() } = two;
    assert.deepEqual([tensorSplit.length, tensorSplit.reduce((sum, layers) => sum + layers)], [2, 3]);
    const estimate = gguf.memory({ contextLength: 4096, tensorSplit, bandwidths: cards.bandwidths });
    assert.deepEqual([two.devices, two.tokensPerSecond], [estimate.devices, estimate.tokensPerSecond]);
    assert.deepEqual(gguf.fit({ ...cards, tensorSplit: [1, 0] }).choices[0]?.tensorSplit, [1, 0]);
    const given = { gpuLayers: 2, keyType: "F32" };
    const [kept = assert.fail()] = gguf.fit({ ...cards, ...given }).choices;
    assert.deepEqual([kept.gpuLayers, kept.keyType, kept.valueType], [2, "F32", "F16"]);
    // A layer that does not fit stays.
    const [{ total } = assert.fail()] = gguf.memory({ contextLength: 4096 }).devices;
    assert.equal(
      gguf.fit({ gpuBytes: (total?.high ?? 0) - 1, cacheTypes: ["F16"], contextLength: 4096, gpuLayers: 3 }).fits,
      false,
    );
    for (const gpuBytes of [[], [1, undefined], [1, "x"], "24GiB", [1, -1], Array(17).fill(1)]) {
      // @ts-expect-error: some are no numbers
      assert.throws(() => gguf.fit({ gpuBytes }), { name: "GgufError", code: "invalid-argument" }, String(gpuBytes));
    }
    assert.throws(() => gguf.fit({ gpuBytes: 1, tensorSplit: [1, 1] }), { code: "invalid-argument" });
  });

  test("refuses what it cannot use", async () => {
    const gguf = await model();
    const refused = { name: "GgufError", code: "invalid-argument" };
    // @ts-expect-error: the memory of the GPU is required
    assert.throws(() => gguf.fit({}), refused);
    for (const cacheTypes of [[], ["F17"], "F16", [1]]) {
      // @ts-expect-error: some are no lists of names
      assert.throws(() => gguf.fit({ gpuBytes: 1, cacheTypes }), { ...refused, message: /cacheTypes/ });
    }
    assert.throws(() => gguf.fit({ gpuBytes: 1, cacheTypes: ["Q8_0"], flashAttention: false }), refused);
  });
});
