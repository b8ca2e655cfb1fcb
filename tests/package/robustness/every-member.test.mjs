// All functions, methods, getters and setters of all entries, as their types declare them: in a module that has stopped, with full
// memory, and called on values that are no object of their class.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { declaredMembers, functionOf } from "../../support/declared-members.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { guardedModule } from "../../support/guarded-module.mjs";
import { READING } from "../size.mjs";

/** @import { Declared } from "../../support/declared-members.mjs" */

const FILE = ggufBytes([
  ["general.architecture", text("llama")],
  ["tokens", { type: "strings", count: 3, at: (index) => `token ${index}` }],
]);

/** Members that do nothing after a module has stopped: programs free their objects in any case. */
const FREES = ["free", "[Symbol.dispose]"];

/**
 * What a call ends with. A promise that rejects is told from an error that is thrown.
 *
 * @param {() => unknown} call
 * @returns {Promise<{ how: "thrown" | "rejected" | "returned", error?: any }>}
 */
async function ending(call) {
  let result;
  try {
    result = call();
  } catch (error) {
    return { how: "thrown", error };
  }
  try {
    await result;
    return { how: "returned" };
  } catch (error) {
    return { how: "rejected", error };
  }
}

/** How a call of a member fails: a promise rejects. @param {Declared} declared */
const failure = ({ isPromise }) => (isPromise ? "rejected" : "thrown");

// The modules that others load have no classes and no promises.
for (const module of READING) {
  const members = declaredMembers(module);
  const ofObjects = members.filter(({ kind }) => kind !== "function" && kind !== "static");

  describe(module.entry, () => {
    test("the types declare what the module has", async () => {
      const { api } = await guardedModule(module);
      assert.ok(members.filter(({ isPromise }) => isPromise).length >= 2);
      for (const member of members) assert.equal(typeof functionOf(api, member), "function", member.label);
      const declared = new Set(members.map((member) => member.class ?? member.name));
      for (const [name, value] of Object.entries(api)) {
        const isClass = typeof value === "function" && "__wrap" in value;
        const isInternal = ["ArrayReceiver", "ChunkSource", "Receiver", "SharedFile"].includes(name);
        if (isClass && !isInternal) assert.ok(declared.has(name), name);
      }
    });

    test("stopped: promises reject, and all other calls throw, with the code internal", async () => {
      const copy = await guardedModule(module);
      const { api } = copy;
      const objects = Object.fromEntries(ofObjects.map(({ class: of = "" }) => [of, copy.objectOf(of)]));
      copy.stop();
      for (const member of members.filter(({ name }) => !FREES.includes(name))) {
        const object = member.kind === "static" ? api[member.class ?? ""] : objects[member.class ?? ""];
        const { how, error } = await ending(() => functionOf(api, member)?.call(object));
        assert.deepEqual([member.label, how, error?.code], [member.label, failure(member), "internal"]);
      }
      // Nothing that frees an object throws.
      for (const member of members.filter(({ name }) => FREES.includes(name))) {
        functionOf(api, member)?.call(objects[member.class ?? ""]);
      }
    });

    test("with full memory, promises wait for the garbage collector, and all other calls throw too-large", async () => {
      const copy = await guardedModule(module);
      const { api } = copy;
      const objects = Object.fromEntries(ofObjects.map(({ class: of = "" }) => [of, copy.objectOf(of)]));
      copy.pretendFull();
      for (const member of members.filter(({ name }) => !FREES.includes(name))) {
        const object = member.kind === "static" ? api[member.class ?? ""] : objects[member.class ?? ""];
        const { how, error } = await ending(() => functionOf(api, member)?.call(object));
        const isRefusedAtOnce = error?.code === "too-large";
        assert.deepEqual([member.label, how, isRefusedAtOnce], [member.label, failure(member), !member.isPromise]);
      }
    });

    test("with memory that is really full, functions that return promises give the collector turns", async () => {
      const { api, fill } = await guardedModule(module);
      fill();
      for (const member of members.filter(({ isPromise, kind }) => isPromise && kind !== "method")) {
        let turns = 0;
        const timer = setInterval(() => (turns += 1), 0);
        const { how, error } = await ending(() => functionOf(api, member)?.call(api[member.class ?? ""]));
        clearInterval(timer);
        assert.deepEqual([member.label, how, error?.code], [member.label, "rejected", "too-large"]);
        assert.ok(turns > 0, member.label);
      }
    });

    test("called on a value that is no object of the class: a TypeError", async () => {
      const { api } = await guardedModule(module);
      const gguf = await api["Gguf"].open(FILE);
      const array = gguf.metadata.get("tokens");
      for (const member of ofObjects) {
        const { prototype } = api[member.class ?? ""];
        const other = member.class === "Gguf" ? array : gguf;
        const copy = Object.assign(Object.create(prototype), gguf);
        for (const wrong of [undefined, null, 1, "gguf", {}, [], other, prototype, copy, api["Gguf"]]) {
          const { how, error } = await ending(() => functionOf(api, member)?.call(wrong, 0, 0));
          assert.deepEqual(
            [member.label, how, error?.name],
            [member.label, failure(member), "TypeError"],
            String(error),
          );
        }
      }
      // No call has done damage.
      assert.equal((await api["Gguf"].open(FILE)).metadata.get("general.architecture"), "llama");
      assert.deepEqual([gguf.version, array.length], [3, 3]);
    });

    test("promises reject if arguments are objects of another class, and nothing stops the module", async () => {
      const copy = await guardedModule(module);
      const { api } = copy;
      const array = (await api["Gguf"].open(FILE)).metadata.get("tokens");
      for (const member of members.filter(({ isPromise }) => isPromise)) {
        const { class: of = "", kind } = member;
        const object = kind === "method" ? copy.objectOf(of) : api[of];
        const { how, error } = await ending(() => functionOf(api, member)?.call(object, array, array, array));
        assert.deepEqual([member.label, how, error?.name], [member.label, "rejected", "GgufError"]);
        assert.notEqual(error.code, "internal", member.label);
      }
    });

    test("a method that is called on a Proxy of its object works", async () => {
      const { api } = await guardedModule(module);
      const proxy = new Proxy(await api["Gguf"].open(FILE), {});
      assert.deepEqual([proxy.version, proxy.tensors], [3, []]);
    });
  });
}
