import { html, nothing } from "lit";
import { GPU_SIZES, type Machine, SHARED_SIZES } from "../memory/machine.ts";
import { formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import type { Choice } from "./choice.ts";

/** What the sentence about the likely best file leads to. */
export interface ChoiceActions {
  readonly linkTo: (url: string) => string;
  /** Called with the machine that a person has chosen. */
  readonly choose: (machine: Machine) => void;
}

/** The user's GPU memory, and the file that is likely the best for it. */
export function renderChoice(
  choice: Choice | undefined,
  machine: Machine | undefined,
  { linkTo, choose }: ChoiceActions,
) {
  const shared = machine?.shared ?? false;
  const onChange = (event: Event) => {
    const gpu = Number((event.target as HTMLSelectElement).value);
    // The main memory is asked for in the summary of a file. Another graphics card has another bandwidth.
    choose({ gpu, main: machine?.main, shared, gpuRate: undefined, mainRate: machine?.mainRate });
  };
  return html`<div class="choice">
    <label
      >${shared ? "Memory" : "GPU memory"}
      <select @change=${onChange}>
        ${machine === undefined ? html`<option value="" selected disabled>Choose…</option>` : nothing}
        ${(shared ? SHARED_SIZES : GPU_SIZES).map(
          (size) =>
            html`<option value=${size} ?selected=${size === machine?.gpu}>
              ${size === 0 ? "No graphics card" : `${formatInteger(size)} GB`}
            </option>`,
        )}
      </select></label
    >
    <p role="status">${choice === undefined ? nothing : renderReason(choice, linkTo)}</p>
  </div>`;
}

function renderReason({ file, reason }: Choice, linkTo: (url: string) => string) {
  if (file === undefined) return reason;
  const name = file.name.slice(file.name.lastIndexOf("/") + 1);
  return html`<span class="mark">Likely best</span>
    <a href=${linkTo(file.url)}
      >${file.encoding === undefined ? renderText(name, { limit: 100 }) : renderText(file.encoding, { limit: 40 })}</a
    >
    <span>${reason}</span>`;
}
