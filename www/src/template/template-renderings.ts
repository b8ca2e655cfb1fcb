/** Renderings of conversations, each by a key. Results of an earlier template or conversation stay until there are new ones. */

import { asProblem } from "./analyse-template.ts";
import type { RenderInput, RenderResult } from "./template-messages.ts";
import type { TemplateRunner } from "./template-runner.ts";
import { ignoreAbort, rest } from "./typing-delay.ts";

/** A rendering, and whether it is that of the current template and conversation. */
export interface ShownRendering {
  readonly result: RenderResult | undefined;
  readonly isCurrent: boolean;
}

interface Known {
  /** The input as JSON. */
  readonly input: string;
  readonly result: RenderResult;
}

export class TemplateRenderings {
  readonly #runner: TemplateRunner;
  readonly #changed: () => void;
  #wanted: ReadonlyMap<string, string> = new Map();
  #known = new Map<string, Known>();
  #rendering = new AbortController();

  constructor(runner: TemplateRunner, changed: () => void) {
    this.#runner = runner;
    this.#changed = changed;
  }

  /** Renders what has changed. `isTyped`: a person types it. */
  update(inputs: ReadonlyMap<string, RenderInput>, isTyped: boolean): void {
    const wanted = new Map([...inputs].map(([key, input]) => [key, JSON.stringify(input)]));
    const before = this.#wanted;
    if (wanted.size === before.size && [...wanted].every(([key, input]) => before.get(key) === input)) return;
    this.#wanted = wanted;
    this.#rendering.abort();
    this.#rendering = new AbortController();
    const open = [...inputs].filter(([key]) => this.#known.get(key)?.input !== wanted.get(key));
    this.#render(open, isTyped, this.#rendering.signal).catch(ignoreAbort);
  }

  /** Forgets everything. */
  forget(): void {
    this.#rendering.abort();
    this.#wanted = new Map();
    this.#known = new Map();
  }

  get(key: string): ShownRendering {
    const known = this.#known.get(key);
    return { result: known?.result, isCurrent: known !== undefined && known.input === this.#wanted.get(key) };
  }

  async #render(open: readonly (readonly [string, RenderInput])[], isTyped: boolean, signal: AbortSignal) {
    if (isTyped) await rest(signal);
    for (const [key, input] of open) {
      const result = await this.#runner.run("render", input, signal).catch(asProblem);
      signal.throwIfAborted();
      this.#known.set(key, { input: JSON.stringify(input), result });
      this.#changed();
    }
  }
}
