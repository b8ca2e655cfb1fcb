// What the types of an entry of the package declare: its functions, and the members of its classes.

import { typesOf } from "./entry-types.mjs";

/** @import { Module } from "../package/size.mjs" */

/**
 * @typedef {object} Declared
 * @property {string | undefined} class the class of a member
 * @property {string} name
 * @property {"function" | "static" | "method" | "getter" | "setter"} kind
 * @property {boolean} isPromise whether it returns a promise
 * @property {string} label `Gguf.open`
 */

/**
 * All functions and members that the types of a module declare. `GgufSet` has the members of `Gguf`, too.
 *
 * @param {Module} module
 * @returns {Declared[]}
 */
export function declaredMembers(module) {
  const types = typesOf(module).replaceAll(/\/\*\*.*?\*\//gs, "");
  /** @type {Declared[]} */
  const found = [];
  for (const [, name = "", result = ""] of types.matchAll(/^export function (\w+)\(.*\): (.*);$/gm)) {
    add(undefined, name, "function", result);
  }
  const classes = [...types.matchAll(/^export class (\w+) .*?^\}$/gms)].filter(([, name]) => name !== "GgufError");
  for (const [text, of = ""] of classes) addMembers(of, text);
  if (classes.some(([, name]) => name === "GgufSet")) {
    const own = new Set(found.filter((member) => member.class === "GgufSet").map(({ name }) => name));
    for (const { name, kind, isPromise } of found.filter((member) => member.class === "Gguf")) {
      if (kind !== "static" && !own.has(name)) add("GgufSet", name, kind, isPromise ? "Promise<" : "");
    }
  }
  return found;

  /** @param {string} of @param {string} text */
  function addMembers(of, text) {
    const methods = /^ {4}(static )?(\w+|\[Symbol\.\w+\])(?:<.*?>)?\(.*\): (.*);$/gm;
    for (const [, isStatic, name = "", result = ""] of text.matchAll(methods)) {
      add(of, name, isStatic ? "static" : "method", result);
    }
    for (const [, modifier, kind, name = ""] of text.matchAll(
      /^ {4}(readonly )?(?:(get|set) )?(\w+)(?:\(.*\))?\??: .*;$/gm,
    )) {
      if (found.some((member) => member.class === of && member.name === name && member.kind === "method")) continue;
      if (kind !== "set") add(of, name, "getter", "");
      if (kind === "set" || (!kind && !modifier)) add(of, name, "setter", "");
    }
    for (const [, name = ""] of text.matchAll(/^ {4}set (\w+)\(.*\);$/gm)) add(of, name, "setter", "");
    // The types of the API declare it for all classes.
    if (!found.some((member) => member.class === of && member.name === "toJSON")) add(of, "toJSON", "method", "object");
  }

  /** @param {string | undefined} of @param {string} name @param {Declared["kind"]} kind @param {string} result */
  function add(of, name, kind, result) {
    const label = `${of ? `${of}.` : ""}${kind === "setter" ? "set " : ""}${name}`;
    found.push({ class: of, name, kind, isPromise: result.startsWith("Promise<"), label });
  }
}

/**
 * The function behind a declared function or member.
 *
 * @param {Record<string, any>} api
 * @param {Declared} declared
 * @returns {Function | undefined}
 */
export function functionOf(api, { class: of, name, kind }) {
  if (of === undefined) return api[name];
  const key = /** @type {any} */ (/^\[Symbol\.(\w+)\]$/.exec(name)?.[1]);
  const member = key ? /** @type {any} */ (Symbol)[key] : name;
  if (kind === "static") return api[of][member];
  const descriptor = Object.getOwnPropertyDescriptor(api[of].prototype, member);
  return kind === "getter" ? descriptor?.get : kind === "setter" ? descriptor?.set : descriptor?.value;
}
