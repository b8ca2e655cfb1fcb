/** The line beside the panels that says whether a file runs on the person's machine. Its code is loaded when a file is open. */

import type { Gguf } from "gguf-wasm/explain";
import { html, nothing } from "lit";
import { type ChecksResult, isRefused } from "../checks/findings.ts";
import { usesOf } from "../gguf/kind-uses.ts";
import type { Machine } from "../memory/machine.ts";
import { loadModule } from "../ui/load-module.ts";

const loadVerdict = loadModule(() => import("./will-it-run/machine-verdict.ts"));

/** Nothing for files that are not loaded as a model. */
export function renderMachineLine(gguf: Gguf, machine: Machine, checks: ChecksResult | undefined) {
  if (!usesOf(gguf).isLoaded || gguf.tensors.length === 0) return nothing;
  // Without its code, the line is missing. The summary says the same.
  loadVerdict().catch(() => undefined);
  return html`<gguf-machine-verdict
    .gguf=${gguf}
    .machine=${machine}
    ?refused=${isRefused(checks)}
  ></gguf-machine-verdict>`;
}
