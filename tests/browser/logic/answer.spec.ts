/** Answers that take long to compute. No page is needed. */

import { expect, test } from "@playwright/test";
import { Answer } from "../../../www/src/ui/answer.ts";

/** An element that counts how often it is asked to update. */
function element() {
  const counted = { updates: 0 };
  const host = {
    addController() {},
    removeController() {},
    requestUpdate: () => void (counted.updates += 1),
    updateComplete: Promise.resolve(true),
  };
  return { answer: new Answer<string>(host), counted };
}

/** An answer that is given later, and the signals of those who asked for it. */
function later() {
  let resolve: (value: string) => void = () => {};
  const promise = new Promise<string>((settle) => (resolve = settle));
  const signals: AbortSignal[] = [];
  const find = (signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  };
  return { find, resolve, signals };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test("the answer before stays until the new one arrives", async () => {
  const { answer, counted } = element();
  const [first, second] = [later(), later()];
  expect(answer.ask(["a", 1], first.find)).toBe(true);
  expect([answer.found, answer.isBusy]).toEqual([undefined, true]);
  first.resolve("one");
  await settled();
  expect([answer.found, answer.isBusy, counted.updates]).toEqual([{ value: "one" }, false, 1]);
  answer.ask(["a", 2], second.find);
  expect([answer.found, answer.isBusy]).toEqual([{ value: "one" }, true]);
  second.resolve("two");
  await settled();
  expect([answer.found, answer.isBusy, counted.updates]).toEqual([{ value: "two" }, false, 2]);
});

test("a new question cancels the one before, whose answer is not shown", async () => {
  const { answer } = element();
  const [first, second] = [later(), later()];
  answer.ask([1], first.find);
  answer.ask([2], second.find);
  expect([first.signals[0]?.aborted, second.signals[0]?.aborted]).toEqual([true, false]);
  first.resolve("one");
  await settled();
  expect([answer.found, answer.isBusy]).toEqual([undefined, true]);
  second.resolve("two");
  await settled();
  expect(answer.found).toEqual({ value: "two" });
});

test("the same question is asked once, until it is forgotten", async () => {
  const { answer } = element();
  const one = later();
  answer.ask([1, undefined], one.find);
  expect(answer.ask([1, undefined], one.find)).toBe(false);
  one.resolve("one");
  await settled();
  expect(answer.ask([1, undefined], one.find)).toBe(false);
  expect(one.signals).toHaveLength(1);
  answer.clear();
  expect(answer.found).toBeUndefined();
  expect(answer.ask([1, undefined], one.find)).toBe(true);
});

test("an element that is removed cancels its question, and asks again when it is back", async () => {
  const { answer, counted } = element();
  const one = later();
  answer.ask([1], one.find);
  answer.hostDisconnected();
  expect([one.signals[0]?.aborted, answer.isBusy]).toEqual([true, false]);
  one.resolve("one");
  await settled();
  expect([answer.found, counted.updates]).toEqual([undefined, 0]);
  answer.hostConnected();
  expect(counted.updates).toBe(1);
  expect(answer.ask([1], one.find)).toBe(true);
  await settled();
  answer.hostDisconnected();
  answer.hostConnected();
  expect([answer.found, counted.updates]).toEqual([{ value: "one" }, 2]);
});
