import { html, nothing } from "lit";
import { formatBinaryBytes, formatCapacity } from "../ui/numbers.ts";
import { icons } from "../ui/icons.ts";
import { sizeTicks } from "../ui/ticks.ts";
import { type DeviceMemory, lengthOf, type Part, PARTS, scaleOf, verdictOf } from "./devices.ts";

/** The most marks on a scale after the first. The labels of more would touch on a narrow screen. */
const MOST_MARKS = 5;

/** Marks beyond this share of the scale have their label before them, so that the label does not leave the panel. */
const LAST_CENTRED = 0.9;

/**
 * The devices: whether the model fits, and a bar of its parts. All bars have the same scale, so that they can be compared. They are for the
 * eyes only; the table has their numbers.
 */
export function renderDevices(devices: readonly DeviceMemory[], unknown: readonly Part[]) {
  const scale = scaleOf(devices);
  return devices.map((device) => renderDevice(device, unknown, scale));
}

function renderDevice(device: DeviceMemory, unknown: readonly Part[], scale: number) {
  const { name, parts, total, capacity = 0, usable = 0 } = device;
  const { fit, text } = verdictOf(device, unknown, scale);
  const length = lengthOf(device);
  const share = (bytes: number) => `--share:${bytes / length}`;
  // What may be taken or not: the range of the compute buffer.
  const open = total.high - total.low;
  const isOver = capacity > 0 && total.high > usable;
  return html`<div class="device ${fit}">
    <h4>${name}</h4>
    <p class="verdict">
      ${fit === "over" || fit === "tight" ? icons.warning : fit === "fits" ? icons.check : nothing}${text}
    </p>
    ${
      length === 0
        ? nothing
        : html`<div class="bar" aria-hidden="true" .style=${`--length:${length / scale}`}>
            ${PARTS.filter((part) => parts[part.name].low > 0).map(
              (part) =>
                html`<span
                  class="segment"
                  data-part=${part.name}
                  .style=${share(parts[part.name].low)}
                  title="${part.title}: ${formatBinaryBytes(parts[part.name].low, scale)}"
                ></span>`,
            )}
            ${
              open > 0
                ? html`<span
                    class="segment open"
                    data-part="compute"
                    .style=${share(open)}
                    title="Compute buffer: up to ${formatBinaryBytes(open, scale)} more"
                  ></span>`
                : nothing
            }
            ${
              capacity > total.high
                ? html`<span
                    class="free"
                    .style=${share(capacity - total.high)}
                    title="Free: ${formatBinaryBytes(capacity - total.high, scale)}"
                  ></span>`
                : nothing
            }
            ${
              isOver
                ? html`<span
                    class="end"
                    .style=${`--at:${usable / length}`}
                    title="What a model may take: ${formatCapacity(usable)} of ${formatCapacity(capacity)}"
                  ></span>`
                : nothing
            }
          </div>`
    }
    ${scale === 0 ? nothing : renderScale(scale)}
  </div>`;
}

/** The marks under a bar. */
function renderScale(scale: number) {
  return html`<div class="scale" aria-hidden="true">
    ${sizeTicks(scale, MOST_MARKS).map(({ value, text }) => {
      const at = value / scale;
      return html`<span class="tick ${at === 0 ? "first" : at > LAST_CENTRED ? "last" : ""}" .style=${`--at:${at}`}
        ><span>${text}</span></span
      >`;
    })}
  </div>`;
}
