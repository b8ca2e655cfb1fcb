// The page of an engine, as a person uses it.

import assert from "node:assert/strict";
import { findElements } from "./find.mjs";

/** @typedef {import("./find.mjs").Target} Target */

/** A limit for what never ends. */
const LONGEST = 60_000;

export class Page {
  /** @type {import("./drivers/driver.mjs").Driver} */
  #driver;

  /** @param {import("./drivers/driver.mjs").Driver} driver */
  constructor(driver) {
    this.#driver = driver;
  }

  /** Goes to an address in a new document. @param {string} url */
  async open(url) {
    // A change of the fragment alone would keep the document.
    await this.#driver.go("about:blank");
    await this.#driver.go(url);
  }

  /**
   * Runs a function in the page. It uses nothing from outside.
   *
   * @template T, [Argument=undefined]
   * @param {(argument: Argument) => T | Promise<T>} work
   * @param {Argument} [argument]
   * @returns {Promise<T>}
   */
  run(work, argument) {
    return /** @type {Promise<T>} */ (this.#driver.run(String(work), argument ?? null));
  }

  /**
   * Runs a function with the elements that a target describes.
   *
   * @template T
   * @param {Target} target
   * @param {(elements: HTMLElement[], argument: any) => T | Promise<T>} work
   * @param {unknown} [argument]
   * @returns {Promise<T>}
   */
  async with(target, work, argument) {
    const source = `([target, argument]) => (${work})((${findElements})(target), argument)`;
    return /** @type {Promise<T>} */ (this.#driver.run(source, [target, argument ?? null]));
  }

  /**
   * Waits until something is the case, and gives what it is.
   *
   * @template T
   * @param {string} what
   * @param {() => Promise<T | undefined | null | false>} ask
   * @returns {Promise<T>}
   */
  async until(what, ask) {
    for (const end = Date.now() + LONGEST; ;) {
      const found = await ask();
      if (found) return found;
      if (Date.now() > end) assert.fail(`the page does not show ${what}; it shows:\n${await this.#shown()}`);
      await new Promise((waited) => setTimeout(waited, 50));
    }
  }

  /** Waits until an element is there, and gives its text. @param {Target} target */
  async see(target) {
    const found = await this.until(JSON.stringify(target), () =>
      this.with(target, ([element]) => element && { text: element.innerText || element.textContent || "" }),
    );
    return found.text;
  }

  /** The number of elements. @param {Target} target */
  count(target) {
    return this.with(target, (elements) => elements.length);
  }

  /** Waits until no such element is there. @param {Target} target */
  async gone(target) {
    await this.until(`no ${JSON.stringify(target)}`, async () => (await this.count(target)) === 0);
  }

  /** Waits until an element can be clicked, and gives the middle of it. @param {Target} target */
  async place(target) {
    return this.until(`${JSON.stringify(target)}, where it can be clicked,`, () =>
      this.with(target, async ([element]) => {
        if (!element || element.matches(":disabled")) return undefined;
        element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
        const { left, top, width, height } = element.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        // What the page loads may move it.
        for (let frames = 0; frames < 2; frames += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
        const later = element.getBoundingClientRect();
        if (later.left !== left || later.top !== top) return undefined;
        /** @type {Element | null} */
        let hit = document.elementFromPoint(x, y);
        for (let inner = hit; inner?.shadowRoot; hit = inner) {
          const next = inner.shadowRoot.elementFromPoint(x, y);
          if (!next || next === inner) break;
          inner = next;
        }
        // What covers it may be a part of it, its label, or in its shadow root.
        for (let at = hit; at;) {
          if (at === element) return { x, y };
          if (at instanceof HTMLLabelElement && at.control === element) return { x, y };
          const root = at.getRootNode();
          at = at.assignedSlot ?? at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
        }
        return undefined;
      }),
    );
  }

  /** @param {Target} target */
  async click(target) {
    const { x, y } = await this.place(target);
    await this.#driver.click(x, y);
  }

  /** Moves the pointer onto an element. @param {Target} target */
  async hover(target) {
    const { x, y } = await this.place(target);
    await this.#driver.move(x, y);
  }

  /** @param {...string} keys Keys that are pressed together. */
  press(...keys) {
    return this.#driver.press(keys);
  }

  /** Replaces the text of a field. @param {Target} target @param {string} text */
  async fill(target, text) {
    await this.click(target);
    await this.press("Control", "a");
    if (text === "") await this.press("Delete");
    else await this.#driver.type(text);
  }

  /** Chooses an option of a list: its text or its value. @param {Target} target @param {string} option */
  async select(target, option) {
    // The list is a window of the system, which no pointer of a test reaches.
    await this.until(`the option ${option} of ${JSON.stringify(target)}`, () =>
      this.with(
        target,
        ([element], wanted) => {
          if (!(element instanceof HTMLSelectElement)) return false;
          const found = [...element.options].find(({ text, value }) => text.trim() === wanted || value === wanted);
          if (!found) return false;
          element.focus();
          element.value = found.value;
          element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
          element.dispatchEvent(new Event("change", { bubbles: true }));
          return true;
        },
        option,
      ),
    );
  }

  /** Chooses files of the disk in a file field. @param {Target} target @param {readonly string[]} paths */
  async choose(target, paths) {
    await this.until(JSON.stringify(target), () => this.count(target));
    await this.#driver.choose(`(target) => (${findElements})(target)[0]`, target, paths);
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    return this.#driver.resize(width, height);
  }

  /** @param {string} path */
  screenshot(path) {
    return this.#driver.screenshot(path);
  }

  /** Runs a script in the page. @param {string} script */
  async load(script) {
    await this.#driver.run(`() => { ${script} }`, null);
  }

  /** Forced colours, or not. Gives `false` if the engine cannot be told. @param {boolean} isOn */
  async forceColours(isOn) {
    const { forceColours } = this.#driver;
    if (!forceColours) return false;
    await forceColours(isOn);
    return true;
  }

  /** Waits until the page has drawn what it has changed, and nothing fades in any more. */
  async settled() {
    await this.run(async () => {
      for (let frames = 0; frames < 3; frames += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
      const roots = /** @type {(root: Document | ShadowRoot) => (Document | ShadowRoot)[]} */ (
        (root) => [
          root,
          ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : [])),
        ]
      );
      const ending = roots(document)
        .flatMap((root) => root.getAnimations())
        .filter(({ effect, playState }) => playState === "running" && effect?.getTiming().iterations !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
    });
  }

  /** The errors that the page has reported since this was asked. */
  takeProblems() {
    return this.#driver.problems.splice(0);
  }

  /** The text of the page. */
  #shown() {
    return this.with({ css: "body" }, ([body]) => {
      /** @param {Node} node @returns {string} */
      const textOf = (node) => {
        if (node instanceof Text) return node.data.trim();
        if (node instanceof Element && /^(style|script)$/i.test(node.localName)) return "";
        const children = node instanceof Element && node.shadowRoot ? node.shadowRoot.childNodes : node.childNodes;
        return [...children]
          .map(textOf)
          .filter((text) => text !== "")
          .join(" ");
      };
      return body ? textOf(body).slice(0, 3000) : "";
    });
  }
}
