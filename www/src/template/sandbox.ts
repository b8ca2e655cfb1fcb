/**
 * Removes the abilities of the worker that renders templates.
 *
 * A template is a program of a stranger. Three things keep it from everything but its input:
 *
 * 1. The interpreter knows only its own values. No expression of a template reaches a JavaScript object, its prototype or a global: members
 *    are looked up in maps, and only functions of the renderer are called.
 * 2. If the interpreter had a bug, the script would find little to use: this module deletes every global that is not part of the language,
 *    among them `fetch`, `XMLHttpRequest`, `WebSocket`, `importScripts`, `indexedDB`, `caches`, `navigator` and `Worker`, and all ways to
 *    compile a text: `eval`, `Function` and the constructors of functions. What remains is `import()`, which is syntax and so cannot be
 *    deleted: code that already runs could load a script from any address, and so send something there. Only a Content-Security-Policy
 *    prevents that.
 * 3. The page ends the worker after a time limit. A host that can set headers should send a Content-Security-Policy with the script (see
 *    www/README.md): a worker has the policy of its own response, not that of the page.
 */

/** The globals of the language that the renderer uses, or that are harmless: they compute. */
const LANGUAGE: ReadonlySet<PropertyKey> = new Set([
  ...["Object", "Array", "Number", "Boolean", "String", "Symbol", "BigInt", "Date", "Promise", "RegExp"],
  ...["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"],
  ...["JSON", "Math", "Intl", "Reflect", "Proxy", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Iterator"],
  ...["ArrayBuffer", "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array"],
  ...["Int32Array", "Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
  ...["Infinity", "NaN", "undefined", "globalThis", "parseInt", "parseFloat", "isNaN", "isFinite"],
  ...["self", "onmessage", "postMessage", "constructor"],
]);

/**
 * Removes the constructors of functions, which compile texts: `Function` and those of the other kinds of functions, which are no globals.
 * Call it only in a realm of its own.
 */
export function removeCompilers(): void {
  const kinds = [() => undefined, async () => undefined, function* () {}, async function* () {}];
  for (const kind of kinds) {
    const prototype: unknown = Object.getPrototypeOf(kind);
    Object.defineProperty(prototype, "constructor", { value: undefined, writable: false, configurable: false });
  }
}

/** What is left of the globals. Call it before anything is rendered. */
export function removeAbilities(scope: object): void {
  for (let holder: object | null = scope; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder))
    for (const name of Reflect.ownKeys(holder)) if (!LANGUAGE.has(name)) Reflect.deleteProperty(holder, name);
}
