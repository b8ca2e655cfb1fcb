import type { Gguf, MetadataValue, SpecialToken } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { allowedValue } from "../gguf/allowed-values.ts";
import { keyInfo, tokenizerModels } from "../gguf/library.ts";
import type { EditedFile } from "../gguf/shown-file.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { baseStyles } from "../ui/styles.ts";
import { type Found, findTokensToCheck } from "./found-tokens.ts";
import "./token-table.ts";
import type { GgufTokenTable } from "./token-table.ts";
import { typeName } from "./token-types.ts";
import type { TokenizerState } from "./tokenizer-state.ts";
import "./merge-table.ts";
import "./try-tokenizer.ts";
import { Vocabulary } from "./vocabulary.ts";
import { hintStyles } from "../ui/styles/notices.ts";

/** The models for which llama.cpp reads `tokenizer.ggml.pre`. */
const WITH_PRE_TOKENIZER: ReadonlySet<string> = new Set(["gpt2", "hybriddna", "whitespace"]);

/** What a model reads and writes: its tokenizer, its tokens, and both tried out. */
export class GgufTokenizer extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  /** The metadata to show: of the file, or after editing. */
  @property({ attribute: false }) metadata!: ReadonlyMap<string, MetadataValue>;
  /** Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) panelState: TokenizerState | undefined;
  /** The file after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edits: EditedFile | undefined;
  /** Whether the panel is visible. Nothing is read before. */
  @property({ type: Boolean }) shown = false;
  @state() private choices: TokenizerState = {};
  /** The tokens that should not be in a vocabulary. Undefined until they have been looked for. */
  @state() private found: Found | undefined;

  #vocabulary: Vocabulary | undefined;
  #special: readonly SpecialToken[] = [];
  /** The metadata that has been read. */
  #read: ReadonlyMap<string, MetadataValue> | undefined;
  #check: AbortController | undefined;
  readonly #reporter = new StateReporter<TokenizerState>(this, (state) => ({ tokenizer: state }));

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
      }
      .panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 20px;
        padding: 20px 16px;
      }
      h3 {
        margin-bottom: 8px;
        font-size: var(--gguf-text-body);
        font-weight: 650;
      }
      .facts {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(240 * var(--gguf-unit))), 1fr));
        gap: 8px 24px;
      }
      dt {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      dd {
        font-size: var(--gguf-text-control);
        overflow-wrap: anywhere;
      }
      ${hintStyles}
      .about {
        display: flex;
        gap: 8px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .special {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        padding: 0;
        list-style: none;
      }
      .special button {
        gap: 6px;
        min-height: calc(28 * var(--gguf-unit));
        padding: 0 10px;
        font-size: var(--gguf-text-dense);
        font-weight: 400;
      }
      .special .role {
        color: var(--gguf-ink-2);
      }
      .mono {
        font-family: var(--gguf-mono);
        font-size: var(--gguf-text-small);
      }
      gguf-token-table {
        height: min(70vh, calc(640 * var(--gguf-unit)));
      }
      gguf-merge-table {
        height: min(50vh, calc(420 * var(--gguf-unit)));
        margin-top: 8px;
      }
      gguf-token-table,
      gguf-merge-table {
        border: 1px solid var(--gguf-line);
        border-radius: var(--gguf-radius);
        overflow: hidden;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#check?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("panelState") && this.#reporter.adopts(this.panelState ?? {})) this.choices = this.panelState ?? {};
    if (!this.shown || this.#read === this.metadata) return;
    this.#read = this.metadata;
    this.#vocabulary = Vocabulary.of(this.metadata, tokenizerModels());
    this.#special = specialTokens(this.gguf);
    void this.#findTokens();
  }

  override updated(): void {
    this.#reporter.report(this.choices);
  }

  async #findTokens(): Promise<void> {
    this.#check?.abort();
    this.found = undefined;
    if (this.#vocabulary === undefined) return;
    const check = new AbortController();
    this.#check = check;
    try {
      this.found = await findTokensToCheck(this.#vocabulary, check.signal);
    } catch (error) {
      if (!check.signal.aborted) throw error;
    }
  }

  override render() {
    const vocabulary = this.#vocabulary;
    if (this.#read === undefined) return nothing;
    if (vocabulary === undefined)
      return html`<div class="panel">
        <section aria-labelledby="none">
          <h3 id="none">The file has no vocabulary</h3>
          <p class="hint">
            The tokens are the entry <span class="mono">tokenizer.ggml.tokens</span>, which is missing or is no list of
            texts. Without it, text cannot be tokenised for this model.
          </p>
        </section>
      </div>`;
    return html`<div class="panel">
      <section aria-labelledby="model">
        <h3 id="model">Tokenizer</h3>
        ${this.#renderFacts(vocabulary)}
      </section>
      ${this.#renderSpecial()}
      <section aria-labelledby="try">
        <h3 id="try">Try it</h3>
        ${
          this.edits
            ? html`<p class="about">${icons.info}This is the tokenizer of the stored file, without the changes.</p>`
            : nothing
        }
        <gguf-try-tokenizer .gguf=${this.gguf}></gguf-try-tokenizer>
      </section>
      <section aria-labelledby="tokens">
        <h3 id="tokens">Tokens</h3>
        <gguf-token-table
          .vocabulary=${vocabulary}
          .special=${this.#special}
          .edits=${this.edits}
          .found=${this.found}
          .state=${this.choices}
          @gguf-tokens=${({ detail }: CustomEvent<TokenizerState>) => {
            this.choices = detail;
          }}
        ></gguf-token-table>
      </section>
      ${
        vocabulary.merges
          ? html`<section aria-labelledby="merges">
              <h3 id="merges">Merges</h3>
              <p class="hint">
                Pairs of neighbours that become one token. The pair with the lowest rank is joined first.
              </p>
              <gguf-merge-table .merges=${vocabulary.merges} .spelling=${vocabulary.spelling}></gguf-merge-table>
            </section>`
          : nothing
      }
    </div>`;
  }

  #renderFacts(vocabulary: Vocabulary) {
    const fact = (label: string, value: unknown) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`;
    const model = allowedValue(keyInfo("tokenizer.ggml.model"), vocabulary.model);
    const pre = this.metadata.get("tokenizer.ggml.pre");
    const counts = [...vocabulary.typeCounts()].sort(([, a], [, b]) => b - a);
    const flags = tokenizerFlags(this.metadata).map(
      ([name, isSet]) => html`<div><span class="mono">${name}</span>: ${isSet ? "yes" : "no"}</div>`,
    );
    return html`<dl class="facts">
      ${fact(
        "Model",
        vocabulary.model === ""
          ? html`The entry <span class="mono">tokenizer.ggml.model</span> is missing.`
          : html`<span class="mono">${renderText(vocabulary.model, { limit: 100 })}</span>${
                model ? html` · ${model.name}. ${model.description}` : nothing
              }`,
      )}
      ${
        typeof pre === "string"
          ? fact(
              "Pre-tokenizer",
              html`<span class="mono">${renderText(pre, { limit: 100 })}</span> ·
                ${WITH_PRE_TOKENIZER.has(vocabulary.model) ? "the rule that splits text into words first" : "not used by this model"}`,
            )
          : nothing
      }
      ${fact("Tokens", formatInteger(vocabulary.size))}
      ${vocabulary.merges ? fact("Merges", formatInteger(vocabulary.merges.length)) : nothing}
      ${
        counts.length > 0
          ? fact(
              "Types",
              counts
                .slice(0, 12)
                .map(([type, count]) => `${typeName(type)} ${formatInteger(count)}`)
                .join(", "),
            )
          : nothing
      }
      ${flags.length > 0 ? fact("Flags", flags) : nothing}
      ${
        this.found
          ? fact(
              "Duplicates and empty tokens",
              this.found.duplicate.size + this.found.empty.size === 0
                ? "None"
                : `${formatCount(this.found.duplicate.size, "duplicate")}, ${formatInteger(this.found.empty.size)} empty`,
            )
          : nothing
      }
    </dl>`;
  }

  /** The tokens with a role. Each leads to its row. */
  #renderSpecial() {
    if (this.#special.length === 0) return nothing;
    return html`<section aria-labelledby="special">
      <h3 id="special">Special tokens</h3>
      <ul class="special">
        ${this.#special.map(
          ({ role, id, text, key }) =>
            html`<li>
              <button type="button" title=${key} ?disabled=${text === undefined} @click=${() => this.#show(id)}>
                <span class="role">${role}</span>
                <span class="mono"
                  >${text === undefined ? "not in the vocabulary" : renderText(text, { limit: 60 })}</span
                >
                <span class="role">${formatId(id)}</span>
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #show(id: number): void {
    void this.renderRoot.querySelector<GgufTokenTable>("gguf-token-table")?.showToken(id);
  }
}

/** The flags that the file gives its tokenizer, such as `add_bos_token`. */
function tokenizerFlags(metadata: ReadonlyMap<string, MetadataValue>): [name: string, isSet: boolean][] {
  const prefix = "tokenizer.ggml.";
  return [...metadata].flatMap(([key, value]) =>
    key.startsWith(prefix) && typeof value === "boolean" ? [[key.slice(prefix.length), value]] : [],
  );
}

/** The special tokens of a file; none if a token is too long for a text. */
function specialTokens(gguf: Gguf): readonly SpecialToken[] {
  try {
    return gguf.specialTokens();
  } catch {
    return [];
  }
}

define("gguf-tokenizer", GgufTokenizer);
