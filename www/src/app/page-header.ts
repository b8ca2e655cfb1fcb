import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { announce } from "../ui/announce.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { keyText } from "../ui/keyboard.ts";
import "../ui/menu.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { baseStyles } from "../ui/styles.ts";
import { escapeText } from "../ui/text.ts";
import "./open-field.ts";
import "./theme-button.ts";
import { currentTheme, setTheme, type Theme, THEME_LABELS } from "./theme.ts";
import { boxWidth } from "../ui/styles/breakpoints.ts";

/** What the page shows: a file or a repository. */
export interface HeaderSubject {
  readonly name: string;
  /** The address in the address field; "" for a local file. */
  readonly address: string;
  /** Makes the link to what is shown. Undefined if there is no link, as for a local file. */
  readonly link: (() => string) | undefined;
  /** Whether the open file can be edited. */
  readonly isEditable: boolean;
}

/**
 * The bar at the top of the page. In a wide window it has the address field and a button for each action. In a compact one it has one row:
 * the name of the file, the Edit button, and a menu.
 *
 * Events: `gguf-home`, `gguf-choose` and `gguf-begin-edit`, `gguf-show` (detail: "palette" or "keys"), and those of `GgufOpenField`.
 */
export class GgufPageHeader extends LitElement {
  /** The name of the page. */
  @property() pageTitle = "";
  /** Undefined on the start page. */
  @property({ attribute: false }) subject: HeaderSubject | undefined;
  /** The host that the access token in use is for; "" if there is none. */
  @property() tokenHost = "";
  @property({ type: Boolean, reflect: true }) compact = false;
  /** The items of the viewer for the menu. */
  @property({ attribute: false }) viewerMenu: () => readonly MenuGroup[] = () => [];
  /** Whether the compact bar shows the address field. */
  @state() private asks = false;
  /** Whether the link has just been copied. The icon of the menu says so. */
  @state() private copied = false;

  #copying: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        z-index: 3;
        border-bottom: 1px solid transparent;
        container: header / inline-size;
      }
      header {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 8px 12px 8px 16px;
      }
      .home {
        display: inline-flex;
        align-items: center;
        gap: 9px;
        margin-inline-end: 12px;
        color: var(--gguf-ink);
        font-size: var(--gguf-text-body);
        font-weight: 650;
        letter-spacing: -0.01em;
        text-decoration: none;
        white-space: nowrap;
      }
      .home svg {
        flex: none;
        width: calc(18 * var(--gguf-unit));
        height: calc(18 * var(--gguf-unit));
        color: var(--gguf-accent);
      }
      gguf-open-field {
        flex: 1;
        max-width: calc(860 * var(--gguf-unit));
      }
      .go,
      gguf-theme-button {
        margin-inline-start: auto;
      }
      .go + gguf-theme-button {
        margin-inline-start: 0;
      }
      :host([compact]) header.one-row {
        gap: 2px;
        padding: 3px 4px;
      }
      .one-row .home {
        justify-content: center;
        width: calc(40 * var(--gguf-unit));
        height: calc(40 * var(--gguf-unit));
        margin: 0;
      }
      .one-row .name {
        flex: 1;
        justify-content: start;
        min-width: 0;
        min-height: calc(40 * var(--gguf-unit));
        padding: 0 6px;
        border: 0;
        font-size: var(--gguf-text-body);
        font-weight: 600;
        color: var(--gguf-ink);
      }
      .one-row .name span {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .one-row gguf-open-field {
        margin-inline: 4px;
      }
      @container header (max-width: ${boxWidth(359)}) {
        /* The text is still there for screen readers. */
        .one-row .begin span {
          position: absolute;
          clip-path: inset(50%);
        }
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    // The field has done its work when another file is opened, or when it has room.
    if (changed.has("subject")) {
      const before = changed.get("subject") as HeaderSubject | undefined;
      if (before?.address !== this.subject?.address || before?.name !== this.subject?.name) this.asks = false;
    }
    if (!this.compact) this.asks = false;
  }

  override render() {
    const { subject } = this;
    if (subject === undefined)
      return html`<header>${this.#renderHome("")}<gguf-theme-button></gguf-theme-button></header>`;
    if (!this.compact) return html`<header>${this.#renderHome("")}${this.#renderFull(subject)}</header>`;
    return html`<header class="one-row" @keydown=${this.#onKey}>
      ${this.asks ? this.#renderAsking(subject) : html`${this.#renderHome("sr")}${this.#renderCompact(subject)}`}
    </header>`;
  }

  /** The link to the start page. `kind` is the class of its text. */
  #renderHome(kind: string) {
    return html`<a class="home" href="#" title=${kind === "" ? nothing : "Start page"} @click=${this.#onHome}>
      <svg viewBox="0 0 18 18" fill="currentColor" aria-hidden="true">
        <rect x="1" y="2" width="4" height="14" rx="1"></rect>
        <rect x="7" y="2" width="10" height="4" rx="1" opacity="0.85"></rect>
        <rect x="7" y="7" width="8" height="4" rx="1" opacity="0.6"></rect>
        <rect x="7" y="12" width="10" height="4" rx="1" opacity="0.35"></rect></svg
      ><span class=${kind}>${this.pageTitle}</span>
    </a>`;
  }

  #renderField({ address }: HeaderSubject) {
    return html`<gguf-open-field .value=${address} .tokenHost=${this.tokenHost}></gguf-open-field>`;
  }

  #renderFull(subject: HeaderSubject) {
    const { link } = subject;
    return html`${this.#renderField(subject)}
      ${
        link
          ? html`<gguf-copy-button link label="Copy link" caption="Copy link" .text=${link}></gguf-copy-button>`
          : nothing
      }
      <button type="button" @click=${() => this.#tell("gguf-choose")}>Choose a file</button>
      <button
        type="button"
        class="quiet icon go"
        aria-label="Go to a panel, key, tensor or token"
        aria-keyshortcuts="Control+K Meta+K"
        title="Go to a panel, key, tensor or token (${keyText("Mod+K")}). ? shows all keys."
        @click=${() => this.#show("palette")}
      >
        ${icons.search}
      </button>
      <gguf-theme-button></gguf-theme-button>`;
  }

  #renderCompact({ name, isEditable }: HeaderSubject) {
    const shown = escapeText(name, 200);
    return html`<button
        type="button"
        class="quiet name"
        aria-label="${shown}: open another address"
        title=${shown}
        @click=${this.#ask}
      >
        <span>${shown}</span>
      </button>
      ${
        isEditable
          ? html`<button type="button" class="quiet begin" @click=${() => this.#tell("gguf-begin-edit")}>
              ${icons.pen}<span>Edit</span>
            </button>`
          : nothing
      }
      <gguf-menu
        brief
        label="More"
        .icon=${this.copied ? icons.check : icons.more}
        .groups=${() => this.#groups()}
      ></gguf-menu>`;
  }

  #renderAsking(subject: HeaderSubject) {
    return html`${this.#renderField(subject)}
      <button type="button" class="quiet icon" aria-label="Close the address field" title="Close" @click=${this.#close}>
        ${icons.close}
      </button>`;
  }

  #groups(): MenuGroup[] {
    const link = this.subject?.link;
    const themes = (Object.keys(THEME_LABELS) as Theme[]).map((theme) => ({
      title: THEME_LABELS[theme],
      checked: theme === currentTheme(),
      run: () => setTheme(theme),
    }));
    return [
      {
        items: [
          { title: "Open another address…", run: () => void this.#ask() },
          { title: "Choose a file…", run: () => this.#tell("gguf-choose") },
          { title: "Go to…", about: "Panel, key, tensor, token or action", run: () => this.#show("palette") },
          ...(link ? [{ title: "Copy link", run: () => void this.#copy(link) }] : []),
        ],
      },
      { title: "Theme", items: themes },
      { items: [{ title: "Show the keys", run: () => this.#show("keys") }] },
      ...this.viewerMenu(),
    ];
  }

  /** Moves the focus to the field for an address, and shows it in a compact bar. */
  focusField(): void {
    if (this.compact) void this.#ask();
    else this.renderRoot.querySelector("gguf-open-field")?.select();
  }

  /** Moves the focus to the Edit button of a compact bar, or to its menu. */
  focusEdit(): void {
    this.renderRoot.querySelector<HTMLElement>(".begin, gguf-menu")?.focus();
  }

  readonly #ask = async () => {
    this.asks = true;
    await this.updateComplete;
    const field = this.renderRoot.querySelector("gguf-open-field");
    await field?.updateComplete;
    field?.select();
  };

  readonly #close = async () => {
    this.asks = false;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".name")?.focus();
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !this.asks) return;
    // In the form for a token, Escape closes that form.
    if (event.composedPath().some((node) => node instanceof Element && node.localName === "gguf-token-form")) return;
    event.preventDefault();
    void this.#close();
  };

  async #copy(link: () => string): Promise<void> {
    try {
      await navigator.clipboard.writeText(link());
      announce(this, "Copied");
      this.copied = true;
      clearTimeout(this.#copying);
      this.#copying = setTimeout(() => (this.copied = false), 1600);
    } catch {
      announce(this, "The browser did not allow copying");
    }
  }

  readonly #onHome = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.#tell("gguf-home");
  };

  #show(detail: "palette" | "keys"): void {
    this.dispatchEvent(new CustomEvent("gguf-show", { detail }));
  }

  #tell(name: "gguf-home" | "gguf-choose" | "gguf-begin-edit"): void {
    this.dispatchEvent(new CustomEvent(name));
  }
}

define("gguf-page-header", GgufPageHeader);
