import type { ConversionPlan } from "gguf-wasm/convert";
import { announce } from "../ui/announce.ts";
import { formatBytes } from "../ui/numbers.ts";
import type { CardFit } from "./card-fit.ts";
import { findingGroups } from "./refusals.ts";

/** How long the choices must rest before their result is announced, in milliseconds. */
const ANNOUNCE_AFTER = 800;

/** A plan, the name of its file type, and whether the new file fits the card, if that is known. */
export interface AnnouncedPlan {
  readonly plan: ConversionPlan;
  readonly target: string;
  readonly fit: CardFit | undefined;
}

/** Tells screen readers what a plan gives, when a person has stopped to change it. */
export class PlanAnnouncement {
  readonly #host: HTMLElement;
  readonly #planned: () => AnnouncedPlan | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /** `planned` gives what is announced; undefined for nothing. */
  constructor(host: HTMLElement, planned: () => AnnouncedPlan | undefined) {
    this.#host = host;
    this.#planned = planned;
  }

  /** The plan has changed. */
  soon(): void {
    this.cancel();
    this.#waiting = setTimeout(() => {
      const planned = this.#planned();
      if (planned) announce(this.#host, announcement(planned));
    }, ANNOUNCE_AFTER);
  }

  cancel(): void {
    clearTimeout(this.#waiting);
  }
}

function announcement({ plan, target, fit }: AnnouncedPlan): string {
  const refused = findingGroups(plan.findings).find(({ severity }) => severity === "error");
  const figures = `${target}: ${formatBytes(plan.size)}, ${plan.bitsPerWeight.toFixed(2)} bits per weight.`;
  return [figures, fit?.text ?? "", refused ? `Not possible: ${refused.title}.` : ""].join(" ").trim();
}
