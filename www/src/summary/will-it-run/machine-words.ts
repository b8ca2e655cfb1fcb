/** Whether a model runs on the person's machine, in one short line. */

import type { Fit } from "../../memory/fit.ts";
import { type Machine, machineWords } from "../../memory/machine.ts";
import { isBeyond, type ModelFacts } from "../../memory/settings.ts";
import { formatCount } from "../../ui/numbers.ts";

export interface MachineVerdict {
  readonly state: "yes" | "changed" | "no" | "open";
  readonly text: string;
  /** The exact numbers. */
  readonly title: string;
}

/** `fit` is undefined if it is not known what the model takes. */
export function machineVerdict(fit: Fit | undefined, machine: Machine, facts: ModelFacts): MachineVerdict {
  const own = `your ${machineWords(machine) ?? "machine"}`;
  if (fit === undefined) return { state: "open", text: `Not known whether it runs on ${own}`, title: "" };
  const [best] = fit.ways;
  if (best === undefined) return { state: "no", text: `Does not run on ${own}`, title: "" };
  const { ownContext } = facts;
  const { context } = best.state;
  // A model is not worth more context than it was trained for, unless the person wants it.
  const most = ownContext === undefined || isBeyond(context, facts) ? best.longest : Math.min(best.longest, ownContext);
  const exact = `${best.title}. The longest context that fits: ${formatCount(best.longest, "token")}.`;
  const title =
    ownContext !== undefined && best.longest > ownContext
      ? `${exact} It was trained for ${formatCount(ownContext, "token")}.`
      : exact;
  const length = isBeyond(most, facts)
    ? `${shortTokens(most)} context, longer than trained`
    : `${shortTokens(most)} context`;
  if (!best.hasContext) return { state: "no", text: `Runs on ${own} only with less: ${length}`, title };
  return best.isFree
    ? { state: "yes", text: `Runs on ${own}: ${length}`, title }
    : { state: "changed", text: `Runs on ${own} with changes: ${length}`, title };
}

/** "52k", "1.2M"; below a thousand the number. It is never more than the exact one. */
function shortTokens(context: number): string {
  if (context < 1000) return String(context);
  if (context < 1e6) return `${Math.floor(context / 1000)}k`;
  return `${Math.floor(context / 1e5) / 10}M`;
}
