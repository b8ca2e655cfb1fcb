import { html, nothing } from "lit";
import { formatBinaryBytes } from "../ui/numbers.ts";
import { icons } from "../ui/icons.ts";
import { type DeviceMemory, type Part, PARTS, verdictOf } from "./devices.ts";

/** A device: whether the model fits, and a bar of its parts. The bar is for the eyes only; the table has its numbers. */
export function renderDevice(device: DeviceMemory, unknown: readonly Part[]) {
  const { name, parts, total, capacity = 0 } = device;
  const { fit, text } = verdictOf(device, unknown);
  const scale = Math.max(capacity, total.high);
  const share = (bytes: number) => `--share:${bytes / scale}`;
  // What may be taken or not: the range of the compute buffer.
  const open = total.high - total.low;
  const isOver = capacity > 0 && total.high > capacity;
  return html`<div class="device ${fit}">
    <h4>${name}</h4>
    <p class="verdict">
      ${fit === "over" || fit === "tight" ? icons.warning : fit === "fits" ? icons.check : nothing}${text}
    </p>
    ${
      scale === 0
        ? nothing
        : html`<div class="bar" aria-hidden="true">
            ${PARTS.filter((part) => parts[part.name].low > 0).map(
              (part) =>
                html`<span
                  class="segment"
                  data-part=${part.name}
                  .style=${share(parts[part.name].low)}
                  title="${part.title}: ${formatBinaryBytes(parts[part.name].low)}"
                ></span>`,
            )}
            ${
              open > 0
                ? html`<span
                    class="segment open"
                    data-part="compute"
                    .style=${share(open)}
                    title="Compute buffer: up to ${formatBinaryBytes(open)} more"
                  ></span>`
                : nothing
            }
            ${
              capacity > total.high
                ? html`<span
                    class="free"
                    .style=${share(capacity - total.high)}
                    title="Free: ${formatBinaryBytes(capacity - total.high)}"
                  ></span>`
                : nothing
            }
            ${isOver ? html`<span class="end" .style=${`--at:${capacity / scale}`}></span>` : nothing}
          </div>`
    }
  </div>`;
}
