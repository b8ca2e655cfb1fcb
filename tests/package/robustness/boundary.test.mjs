// Faults between the module and JavaScript: imports that throw, and traps. Every pending promise settles, every exception is
// caught, and every error has a code.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, describe, test } from "node:test";
import { FILE, HUNG, runAll } from "../../support/all-operations.mjs";
import { faultyModule, Injected } from "../../support/faulty-module.mjs";
import { ofRun } from "../../support/long.mjs";
import { PKG, READING, SHIPPED } from "../size.mjs";

/**
 * The imports that are not declared to throw, with the reason. If one of them throws, the module stops with the code
 * `internal`.
 *
 * @type {readonly [source: RegExp, reason: string][]}
 */
const EXEMPT = [
  [/^ ?return ?typeof _(===?`\w+`)?$|^return!_$|^return _===(_|null)$|^return _===void 0$/, "an operator"],
  [/^let _=_[;,].*typeof _===?`\w+`/, "an operator, and a copy into the module's memory"],
  [/instanceof \w+\}catch\{/, "catches by itself"],
  [/^throw Error\(_\(_,_\)\)$/, "is there to throw: boundary.js gives the error a code"],
  [/^return ?(\[_?\]|\{\}|new Map|Error\(_\(_,_\)\))$/, "a small new object"],
  [/^ ?return \w+\.__wrap\(_\)$/, "a new object of a class of the package"],
  [/^try\{return .*\}catch\{return!1\}$/, "catches by itself"],
  [/^return _\(_,`name`\)===`GgufError`$/, "a function of `errors.js`, which does not throw"],
  [/^return _\(_\)\?new _\(`other-module`,/, "a function of `instances.js`, which makes an error"],
  [/^_\(_,_\(_,_\)\)$/, "a function of `explain.js`, which does not throw"],
  [/^_\?\?=\(await _\(\)\)\.convertForkRows$/, "an asynchronous function of `fork-types.js`: its promise rejects"],
  [
    /^return!\(Array\.isArray\(_\)\|\|.*Object\.freeze\(_\)\)$|^let _=new Map;for\(let\{key:_,value:_\}of _\)/,
    "a function of `results.js`, given a value of the module",
  ],
  [/^for\(let _=0;.*yield\*_\.slice\(/, "a generator, which begins later"],
  [/^ ?try\{var _=\{_:_,_:_\};return new Promise\(/, "a new promise of the engine"],
  [/^return Promise\.(resolve|reject)\(_\)$|^return _\.then\(/, "a promise of the engine, given a value of the module"],
  [/^(return )?_\[_(>>>0)?\](=_)?$|^return _\[_>>>0\]$/, "an element of an array that the module has made"],
  [
    /^_\[_\(_,_\)\]=_$|^_\[_\]=_$|^_\.(credentials|headers|method|mode|redirect|signal)=/,
    "a member of an object that the module has made",
  ],
  [/^return Number\(_\)$/, "a number of the module"],
  [
    /^ ?return _\.(push|concat|has|get|set|includes|indexOf|values|reverse|flat|split|charCodeAt)\(.*\)$/,
    "a string, array or map of the module",
  ],
  [
    /^ ?return (Object\.freeze|Array\.from|Array\.isArray|ArrayBuffer\.isView|String)\(_\)$/,
    "an array that the module has made",
  ],
  [
    /^ ?return Object\.(defineProperty\(_,_,_\)|(getPrototypeOf|isFrozen|values)\(_\))$/,
    "an object that the module has made",
  ],
  [
    /^ ?return _\.(length|buffer|byteLength|byteOffset|signal|headers)$/,
    "a getter of the engine, of an object of the module",
  ],
  [/^ ?let _=_\.(href|origin|password|pathname|url|username),_=/, "a getter of the engine, of an object of the module"],
  [/^ ?return new (Big)?(Ui|I|Floa)\w+Array\(_(>>>0)?\)$/, "a view of memory that is there already, or an empty array"],
  [/^ ?return new Float(32|64)Array\(_\(_,_\)\)$|^ ?return new Uint8Array\(_\(_,_\)\)$/, "a few numbers"],
  [/^_\.set\(_\(_,_\)\)$|^ ?return _\.subarray\(_,_\)$/, "a part of an array that the module has made"],
  [/^Float32Array\.prototype\.set\.call\(_\(_,_\),_\)$/, "numbers of a message that the package posts to its workers"],
  [/^return new TextDecoder\(/, "UTF-8, which every engine knows"],
  [/^_\.(abort|cancel|_wbg_cb_unref)\(\)$/, "an object of the module, or of `sources.js`, which does not throw"],
  [
    /^ ?let _=(_\(_\(_\),_\.__wbindgen|_\(_(,_\(_,_\))?\);var )|^return _\((_\(_,_\),_\(_,_\),_[!=]==0.*|_,_\(_,_\)|_,_,_===0\?void 0:_)\)$/,
    "a function of `devices.js`, `errors.js` or `handover.js`, which does not throw",
  ],
  [/^(return )?(setTimeout|clearTimeout|queueMicrotask)\(.*\)$|^return _\.queueMicrotask$/, "a function of every host"],
  [/^return (Math\.random|Date\.now|Date\.parse)\(.*\)$/, "a function of the engine"],
  [/^ ?let _=typeof (global|globalThis|self|window|origin)/, "an operator"],
  [/^return _(\(_(,_(,_)?)?\))?$|^return BigInt\.asUintN\(64,_\)$/, "a value of the module, as a JavaScript value"],
  [/^return Symbol\.(toStringTag|iterator)$/, "a symbol of the engine"],
  [/__wbindgen_externrefs/, "the table of values, when the module starts"],
];

/** @import { Module } from "../size.mjs" */

/** The names of the functions `resolve` and `reject` of a new promise in wasm-bindgen's script. They never throw. */
const SETTLE = "return _(function(_,_,_){return _.call(_,_)},arguments)";

const server = createServer((request, response) => {
  if (request.url === "/redirect") return void response.writeHead(302, { Location: "/file" }).end();
  if (request.url?.startsWith("/hub/")) {
    const isList = request.url.includes("/tree/");
    const answer = isList ? [{ type: "file", path: "m.gguf", size: 5 }] : { gguf: { total: 5, architecture: "llama" } };
    return void response.end(JSON.stringify(answer));
  }
  const [, start = 0, last = 0] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "")?.map(Number) ?? [];
  const end = Math.min(last + 1, FILE.length);
  const range = { "Content-Range": `bytes ${start}-${end - 1}/${FILE.length}`, "Content-Length": end - start };
  return void response.writeHead(206, range).end(FILE.subarray(start, end));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
const origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
after(() => {
  server.closeAllConnections();
  server.close();
});

const MAIN = /** @type {Module} */ (SHIPPED.find(({ folder }) => folder === "full"));

let tested = 0;

/** The first call or the last, in turns; in a long run both, and one in the middle. @param {number} calls */
function someCalls(calls) {
  const ends = [0, calls - 1];
  return [...new Set(ofRun([ends[tested++ % 2] ?? 0], [...ends, calls >> 1]))];
}

/** @param {unknown} error @returns {error is import("gguf-wasm/full").GgufError} */
const isCoded = (error) => error instanceof Error && error.name === "GgufError" && "code" in error;

/** Operations that only one module has, by its folder. @type {Readonly<Record<string, readonly string[]>>} */
const ONLY_IN = {
  convert: ["open legacy", "migrate", "requantize", "requantized"],
  models: ["open model", "convert model"],
};

/** Whether an operation fails because a module has no such function, class or member. @param {unknown} error */
const isMissing = (error) =>
  (isCoded(error) && "code" in error && error.code === "other-entry") ||
  (error instanceof TypeError && /is not a (function|constructor)$|undefined \(reading 'open'\)$/.test(error.message));

/** The imports and exports that are tested with a module before. The modules have most of them in common. @type {Set<string>} */
const seen = new Set();

/**
 * Whether an import or export is tested with a module: in a long run, each one with every module.
 *
 * @param {Module} module
 * @param {string} key
 */
function isTested(module, key) {
  const isNew = module === MAIN || !seen.has(key);
  seen.add(key);
  return ofRun(isNew, true);
}

const modules = [];
// The operations need files, which the modules that others load do not open.
for (const module of READING) {
  const healthy = await faultyModule(module);
  modules.push({ module, healthy, healthyResults: await runAll(healthy.api, origin) });
}

for (const { module, healthy, healthyResults } of modules) {
  describe(module.entry, () => {
    /** @param {Map<string, unknown>} results @param {(error: unknown) => boolean} isExpected */
    function check(results, isExpected) {
      for (const [operation, error] of results) {
        assert.notEqual(error, HUNG, `${operation} does not end`);
        const isExempt = error === undefined || isMissing(healthyResults.get(operation));
        assert.ok(isExempt || isExpected(error), `${operation}: ${String(error)}`);
      }
    }

    test("without a fault, all operations succeed", () => {
      for (const [operation, error] of healthyResults) {
        assert.ok(error === undefined || isMissing(error), `${operation}: ${String(error)}`);
      }
      for (const operation of ONLY_IN[module.folder] ?? []) {
        assert.ok(healthyResults.has(operation) && !healthyResults.get(operation), operation);
      }
      const succeeded = [...healthyResults.values()].filter((error) => error === undefined).length;
      assert.ok(succeeded >= (module === MAIN ? 50 : 25), `${succeeded} operations`);
    });

    test("every import that can throw is declared to throw", () => {
      const open = [...healthy.imports.values()].filter(
        ({ isCaught, source }) => !isCaught && !EXEMPT.some(([exempt]) => exempt.test(source)),
      );
      assert.deepEqual(
        open.map(({ source }) => source),
        [],
      );
    });

    test("the operations call most of the imports that are declared to throw", () => {
      const declared = [...healthy.imports.values()].filter(({ isCaught }) => isCaught);
      const called = declared.filter(({ calls }) => calls > 0);
      assert.ok(called.length >= declared.length / 2, `${called.length} of ${declared.length} are called`);
    });

    describe("an import that is declared to throw", () => {
      for (const [name, { calls, isCaught, source }] of healthy.imports) {
        if (!isCaught || calls === 0 || !isTested(module, source)) continue;
        test(`${source}: an error or a result, and the module is still usable`, async () => {
          for (const call of someCalls(calls)) {
            const { api } = await faultyModule(module, { import: name, call });
            const results = await runAll(api, origin);
            // Errors that functions and objects of the caller throw reach the caller unchanged.
            const mayStop = source === SETTLE;
            check(
              results,
              (error) => error instanceof Injected || (isCoded(error) && (mayStop || error.code !== "internal")),
            );
            if (!mayStop) assert.equal((await api.Gguf.open(FILE)).metadata.get("n"), 1);
          }
        });
      }
    });

    describe("an import that is not declared to throw", () => {
      for (const [name, { calls, isCaught, source }] of healthy.imports) {
        if (isCaught || calls === 0 || !isTested(module, source)) continue;
        test(`${source}: the module stops and reports it`, async () => {
          for (const call of someCalls(calls)) {
            const { api } = await faultyModule(module, { import: name, call }).catch((error) => {
              assert.equal(error.code, "internal");
              return { api: undefined };
            });
            if (api) check(await runAll(api, origin), isCoded);
          }
        });
      }
    });

    describe("a trap", () => {
      for (const [name, calls] of healthy.exports) {
        if (calls === 0 || /^__(wbindgen|externref)/.test(name) || !isTested(module, name)) continue;
        test(`in ${name.replaceAll(/_*h?[0-9a-f]{16}_*/g, "")}: all pending promises reject, and every later call throws`, async () => {
          for (const call of someCalls(calls)) {
            const { api } = await faultyModule(module, { export: name, call });
            const results = await runAll(api, origin);
            check(results, isCoded);
            const last = results.get("afterwards");
            if (last !== undefined) assert.ok(isCoded(last) && last.code === "internal", String(last));
          }
        });
      }
    });
  });
}

test("async functions reject instead of throwing, before and after the module has stopped", async () => {
  const types = readFileSync(`${PKG}full/gguf_wasm_full.d.ts`, "utf8");
  const classes = types
    .split(/^export class /m)
    .slice(1)
    .map((text) => text.slice(0, text.indexOf("\n}")));
  const methods = classes.flatMap((text) => [...text.matchAll(/^ {4}(?:static )?(\w+)\(.*\): Promise</gm)]);
  const declared = methods.map(([, name]) => name);
  assert.deepEqual([...new Set(declared)].sort(), [
    "applyTo",
    "hash",
    "open",
    "preview",
    "read",
    "readBytes",
    "statistics",
    "writeTo",
  ]);
  const { api } = await faultyModule(MAIN, { export: "gguf_open", call: 2 });
  const gguf = await api.Gguf.open(FILE);
  const plan = (await api.Gguf.open(FILE)).edit().plan();
  const set = await api.GgufSet.open([FILE]);
  const calls = () => [
    api.Gguf.open(FILE),
    api.GgufSet.open([FILE]),
    gguf.read("t"),
    gguf.readBytes("t"),
    gguf.preview("t"),
    gguf.statistics("t"),
    gguf.hash(),
    set.read("t"),
    set.readBytes("t"),
    set.preview("t"),
    set.statistics("t"),
    plan.read(0, 1),
    plan.applyTo(/** @type {any} */ ({})),
    plan.writeTo("model.gguf"),
  ];
  for (const round of [1, 2]) {
    const settled = await Promise.allSettled(calls());
    for (const result of settled) {
      assert.ok(result.status === "rejected" && isCoded(result.reason), `round ${round}`);
      assert.equal(result.reason.code, "internal");
    }
  }
  gguf.free();
  plan.free();
  set.free();
  Reflect.get(gguf, Symbol.dispose)?.call(gguf);
});
