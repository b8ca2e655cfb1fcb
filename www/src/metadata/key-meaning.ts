import type { KeyInfo, KeyValue, MetadataEntry, MetadataValue } from "gguf-wasm/explain";
import { css, html, nothing } from "lit";
import { allowedValue, labelledValue } from "../gguf/allowed-values.ts";
import { rowLink } from "../ui/documentation.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";

/** The most allowed values that are listed at once. More values are in a list that opens. */
const FIRST_VALUES = 8;

/** The meaning of an entry's key and value, for its open row. `architecture` is the architecture of the file. */
export function keyMeaning(entry: MetadataEntry, info: KeyInfo | undefined, architecture: string | undefined) {
  if (info === undefined) return html`<p class="meaning unknown">This key is not known.</p>`;
  const value = allowedValue(info, entry.value);
  const about = rowLink("keys", info.pattern, "All about this key");
  return html`<div class="meaning">
    <h3>${info.title}</h3>
    <p>${info.description}</p>
    ${value === undefined ? nothing : html`<p><strong>${labelledValue(value)}:</strong> ${value.description}</p>`}
    ${
      info.deprecatedFor === undefined
        ? nothing
        : html`<p class="deprecated">
            Deprecated. The key <span class="mono">${keyOf(info.deprecatedFor, entry.key)}</span> replaced it.
          </p>`
    }
    ${info.note === undefined ? nothing : html`<p>${info.note}</p>`}
    <dl>
      ${term("Type", html`<span class="mono">${info.types.join(" or ")}</span>`)} ${term("Unit", info.unit)}
      ${term("Known by", info.sources.join(", "))} ${term("Required by", requirements(info, architecture))}
    </dl>
    ${info.values === undefined ? nothing : renderValues(info.values, entry.value)}
    ${about === undefined ? nothing : html`<p>${about}</p>`}
  </div>`;
}

function term(label: string, text: unknown) {
  return text === undefined
    ? nothing
    : html`<div>
        <dt>${label}</dt>
        <dd>${text}</dd>
      </div>`;
}

/** A pattern with the architecture of a key of the file: "llama.context_length" for "{arch}.context_length". */
function keyOf(pattern: string, key: string) {
  const architecture = key.slice(0, key.indexOf("."));
  return renderText(
    pattern.replace("{arch}", () => architecture),
    { limit: 200 },
  );
}

/** Who refuses a model of the architecture without the key. Undefined if nobody is known to. */
function requirements({ requiredBy }: KeyInfo, architecture: string | undefined) {
  if (requiredBy === undefined || architecture === undefined) return undefined;
  const by = [
    ...(requiredBy.specification.includes(architecture) ? ["GGUF specification"] : []),
    ...(requiredBy.llamaCpp.includes(architecture) ? ["llama.cpp"] : []),
    ...(requiredBy.llamaCppConditional.includes(architecture) ? ["llama.cpp, for some models"] : []),
  ];
  return by.length === 0 ? undefined : html`${by.join(" and ")}, for ${architecture}`;
}

function renderValues(values: readonly KeyValue[], current: MetadataValue) {
  const list = html`<ul class="values">
    ${values.map(
      (value) =>
        html`<li aria-current=${value.value === current ? "true" : nothing}>
          <strong>${labelledValue(value)}</strong> ${value.description}
        </li>`,
    )}
  </ul>`;
  if (values.length > FIRST_VALUES)
    return html`<details>
      <summary>${formatCount(values.length, "allowed value", "allowed values")}</summary>
      ${list}
    </details>`;
  return html`<div>
    <p class="caption">Allowed values</p>
    ${list}
  </div>`;
}

export const keyMeaningStyles = css`
  .meaning {
    display: grid;
    gap: 6px;
    max-width: 90ch;
    font-size: var(--gguf-text-control);
    overflow-wrap: anywhere;
  }
  .meaning.unknown,
  .meaning dt,
  .meaning .caption {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .meaning h3 {
    font-size: var(--gguf-text-control);
    font-weight: 600;
  }
  .meaning .deprecated {
    color: var(--gguf-warning);
  }
  .meaning dl {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 24px;
  }
  .meaning dd {
    font-size: var(--gguf-text-dense);
  }
  .meaning summary {
    width: fit-content;
    min-height: calc(24 * var(--gguf-unit));
    color: var(--gguf-accent);
    font-size: var(--gguf-text-dense);
    cursor: pointer;
  }
  .meaning .values {
    display: grid;
    gap: 2px;
    margin-top: 2px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .meaning .values strong {
    color: var(--gguf-ink);
    font-weight: 500;
  }
  .meaning .values [aria-current] strong {
    color: var(--gguf-accent);
    font-weight: 650;
  }
`;
