// Puts the functions of a WebAssembly module into an order in which gzip finds the most: each function follows those that have the most
// in common with it.
//
// The result is the module with a name for each function. wasm-opt then orders them by their names, and renumbers the calls.

import { readFileSync, writeFileSync } from "node:fs";

/** How far gzip looks back. */
const WINDOW = 32 << 10;

/** The bytes that functions have in common are counted in pieces of this length. */
const LENGTH = 6;

/** A piece that more functions have says little about which ones are alike. */
const MOST_FUNCTIONS = 40;

/** The number of common pieces is divided by this power of the length of a function. With 1, many short functions would come first. */
const POWER = 0.8;

const [path = "", out = ""] = process.argv.slice(2);
const bytes = readFileSync(path);

/** A number of LEB128, and where it ends. @param {number} at @returns {[number, number]} */
function number(at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes.readUInt8(at++);
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

/** @param {number} value */
function leb(value) {
  const encoded = [];
  for (; value > 127; value >>>= 7) encoded.push((value & 127) | 128);
  return Buffer.from([...encoded, value]);
}

/** The sections of the module: the kind, and where the content begins and ends. @type {[kind: number, start: number, end: number][]} */
const sections = [];
for (let at = 8; at < bytes.length;) {
  const [length, start] = number(at + 1);
  sections.push([bytes.readUInt8(at), start, start + length]);
  at = start + length;
}

/** The number of entries of a section, and where they begin. @param {number} kind @returns {[number, number]} */
function entriesOf(kind) {
  const section = sections.find(([found]) => found === kind);
  return section ? number(section[1]) : [0, 0];
}

/** The number of functions that are imported: they have the first indexes. */
function importedFunctions() {
  let [count, at] = entriesOf(2);
  let functions = 0;
  const skipNumber = () => ([, at] = number(at));
  for (; count > 0; count--) {
    for (let name = 0; name < 2; name++) {
      const [length, start] = number(at);
      at = start + length;
    }
    const kind = bytes.readUInt8(at++);
    functions += Number(kind === 0);
    if (kind === 3) at += 2;
    else if (kind === 0) skipNumber();
    else throw new Error(`${path}: the module imports something that is neither a function nor a global`);
  }
  return functions;
}

function functionBodies() {
  let [count, at] = entriesOf(10);
  const bodies = [];
  for (; count > 0; count--) {
    const [length, start] = number(at);
    at = start + length;
    bodies.push(bytes.subarray(start, at));
  }
  return bodies;
}

/**
 * The pieces of functions that some functions have in common.
 *
 * @param {readonly Buffer[]} bodies
 * @returns {{ ofFunction: number[][], functions: number[][] }} the pieces of each function, and the functions of each piece
 */
function commonPieces(bodies) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {number[][]} */
  const all = [];
  for (const [index, body] of bodies.entries()) {
    for (let at = 0; at + LENGTH <= body.length; at++) {
      const piece = body.toString("latin1", at, at + LENGTH);
      const known = numbers.get(piece);
      if (known === undefined) {
        numbers.set(piece, all.length);
        all.push([index]);
      } else if (all[known]?.at(-1) !== index) {
        all[known]?.push(index);
      }
    }
  }
  const functions = all.filter(({ length }) => length > 1 && length <= MOST_FUNCTIONS);
  /** @type {number[][]} */
  const ofFunction = bodies.map(() => []);
  for (const [piece, having] of functions.entries()) for (const index of having) ofFunction[index]?.push(piece);
  return { ofFunction, functions };
}

/** @param {readonly Buffer[]} bodies @returns {number[]} the indexes of the functions */
function order(bodies) {
  const { ofFunction, functions } = commonPieces(bodies);
  const weights = bodies.map((body) => body.length ** -POWER);
  /** How many pieces of each function are in the window. */
  const known = new Float64Array(bodies.length);
  /** How many functions in the window have each piece. */
  const inWindow = new Uint8Array(functions.length);
  /** @param {number} index @param {1 | -1} change */
  const move = (index, change) => {
    for (const piece of ofFunction[index] ?? []) {
      const before = inWindow[piece] ?? 0;
      inWindow[piece] = before + change;
      if (Math.max(before, before + change) === 1)
        for (const other of functions[piece] ?? []) known[other] = (known[other] ?? 0) + change;
    }
  };
  const left = new Set(bodies.keys());
  /** @type {number[]} */
  const ordered = [];
  let [first, size] = [0, 0];
  for (let next = 0; left.size > 0;) {
    left.delete(next);
    ordered.push(next);
    size += bodies[next]?.length ?? 0;
    move(next, 1);
    for (; size > WINDOW && first < ordered.length - 1; first++) {
      const leaving = ordered[first] ?? 0;
      size -= bodies[leaving]?.length ?? 0;
      move(leaving, -1);
    }
    let best = -1;
    for (const index of left) {
      const share = (known[index] ?? 0) * (weights[index] ?? 0);
      if (share > best) [best, next] = [share, index];
    }
  }
  return ordered;
}

const imported = importedFunctions();
/** @type {string[]} */
const names = [];
for (const [place, index] of order(functionBodies()).entries()) names[index] = String(place).padStart(6, "0");
const entries = names.map((name, index) => Buffer.concat([leb(imported + index), leb(name.length), Buffer.from(name)]));
const map = Buffer.concat([leb(entries.length), ...entries]);
const title = Buffer.from("\x04name");
const content = Buffer.concat([title, Buffer.from([1]), leb(map.length), map]);
writeFileSync(out, Buffer.concat([bytes, Buffer.from([0]), leb(content.length), content]));
