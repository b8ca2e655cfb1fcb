import type { MemoryRange } from "gguf-wasm/explain";
import { html, nothing } from "lit";
import { formatBinaryBytes, formatInteger } from "../ui/numbers.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { type DeviceMemory, formatRange, type Part, PARTS, scaleOf } from "./devices.ts";

/** The parts on each device, with exact numbers. It is the legend of the bars, too. */
export function renderParts(devices: readonly DeviceMemory[], unknown: readonly Part[]) {
  const isUsed = (part: Part) => unknown.includes(part) || devices.some(({ parts }) => parts[part].high > 0);
  const capacities = devices.map(({ capacity }) => capacity);
  const isPartial = unknown.length > 0;
  // One unit for the whole table, so that its numbers can be compared.
  const largest = scaleOf(devices);
  return html`<table class="parts">
    <caption class="sr">
      Memory by part and device
    </caption>
    ${columnHeads("Part", ...devices.map(({ name }) => name))}
    <tbody>
      ${PARTS.filter(({ name }) => isUsed(name)).map(
        ({ name, title }) =>
          html`<tr>
            <th scope="row">
              <span class="part"><span class="swatch" data-part=${name}></span>${title}</span>
            </th>
            ${devices.map(({ parts }) =>
              unknown.includes(name) ? html`<td class="unknown">Not known</td>` : renderRange(parts[name], largest),
            )}
          </tr>`,
      )}
      <tr class="total">
        <th scope="row">${isPartial ? "Total of the known parts" : "Total"}</th>
        ${devices.map(({ total }) => renderRange(total, largest))}
      </tr>
      ${
        capacities.some((capacity) => capacity !== undefined)
          ? html`<tr>
              <th scope="row">
                <span class="part"><span class="swatch free"></span>Free</span>
              </th>
              ${devices.map((device) => renderFree(device, isPartial, largest))}
            </tr>`
          : nothing
      }
    </tbody>
  </table>`;
}

function renderRange(range: MemoryRange, largest: number) {
  const { low, high } = range;
  if (high === 0) return html`<td>None</td>`;
  const exact = low === high ? formatInteger(low) : `${formatInteger(low)} to ${formatInteger(high)}`;
  // Sizes below 1 KiB are exact already.
  return html`<td>${formatRange(range, largest)}${high < 1024 ? nothing : html`<small>${exact} B</small>`}</td>`;
}

/** What is free of the memory, or what is missing of the part of it that a model may take. */
function renderFree({ capacity, usable = 0, total: { low, high } }: DeviceMemory, isPartial: boolean, largest: number) {
  if (capacity === undefined) return html`<td><span aria-hidden="true">–</span><span class="sr">Not known</span></td>`;
  if (low > usable) {
    const missing = isPartial
      ? `at least ${formatBinaryBytes(low - usable, largest)}`
      : formatRange({ low: low - usable, high: high - usable }, largest);
    return html`<td class="short">Too little: ${missing} more is needed</td>`;
  }
  if (isPartial) return html`<td class="unknown">Not known</td>`;
  if (high > usable)
    return html`<td class="short">
      Perhaps too little: up to ${formatBinaryBytes(high - usable, largest)} more is needed
    </td>`;
  return renderRange({ low: capacity - high, high: capacity - low }, largest);
}
