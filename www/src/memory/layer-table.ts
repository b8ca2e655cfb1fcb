import { html, nothing } from "lit";
import { formatBinaryBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { columnHeads } from "../ui/column-heads.ts";
import type { LayerMemory } from "./layers.ts";

/** The most layers that are listed. A file may state any number. */
const MOST_LAYERS = 1000;

const COLUMNS = [
  { name: "weights", title: "Weights" },
  { name: "cache", title: "KV cache" },
  { name: "state", title: "State" },
] as const;

/** The memory of each layer. Columns without any bytes are left out. */
export function renderLayers(layers: readonly LayerMemory[]) {
  const listed = layers.slice(0, MOST_LAYERS);
  const largest = Math.max(0, ...layers.flatMap((layer) => COLUMNS.map(({ name }) => layer[name])));
  const columns = COLUMNS.filter(({ name }) => layers.some((layer) => layer[name] > 0));
  return html`<div class="scroller" role="region" aria-label="Memory by layer" tabindex="0">
      <table class="layers">
        <caption class="sr">
          Memory by layer
        </caption>
        ${columnHeads("Layer", "Device", ...columns.map(({ title }) => title))}
        <tbody>
          ${listed.map(
            (layer) =>
              html`<tr>
                <th scope="row">${layer.title}</th>
                <td>${layer.device}</td>
                ${columns.map(
                  ({ name }) =>
                    html`<td title=${formatCount(layer[name], "byte")}>
                      ${layer[name] === 0 ? "None" : formatBinaryBytes(layer[name], largest)}
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      listed.length < layers.length
        ? html`<p class="hint">The first ${formatInteger(listed.length)} of ${formatInteger(layers.length)} rows.</p>`
        : nothing
    }`;
}
