import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { define } from "./define.ts";
import { icons } from "./icons.ts";
import { baseStyles } from "./styles.ts";

/** An item of a menu. */
export interface MenuItem {
  readonly title: string;
  /** What the item does, in a few words below the title. */
  readonly about?: string;
  /** Whether the item is the chosen one of its group. Absent: the item is no choice. */
  readonly checked?: boolean;
  readonly run: () => void;
}

/** Items that belong together. A line stands between two groups. */
export interface MenuGroup {
  readonly title?: string;
  readonly items: readonly MenuItem[];
}

/** The distance between the button and the menu, and from the menu to the edge of the page, in px. */
const GAP = 4;

/**
 * A button that opens a menu, as the ARIA pattern of menu buttons describes it: arrow keys, Home, End and first letters move, Enter and
 * Space choose, Escape and Tab close.
 */
export class GgufMenu extends LitElement {
  /** The text of the button. */
  @property() label = "";
  /** The icon before the text. */
  @property({ attribute: false }) icon: TemplateResult | typeof nothing = nothing;
  /** Gives the items when the menu opens. */
  @property({ attribute: false }) groups: () => readonly MenuGroup[] = () => [];
  /** A sentence above the items; "" for none. */
  @property({ attribute: false }) note = "";
  /** Whether the button shows only the icon. */
  @property({ type: Boolean }) brief = false;
  @state() private isOpen = false;

  #typed = "";
  #typing: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-flex;
      }
      .opener {
        min-height: calc(30 * var(--gguf-unit));
      }
      .opener .chevron {
        rotate: 90deg;
      }
      .menu {
        position: fixed;
        inset: auto;
        width: max-content;
        max-width: min(calc(340 * var(--gguf-unit)), calc(100vw - 16px));
        max-height: calc(100dvh - 16px);
        margin: 0;
        padding: 6px;
        overflow: auto;
        border: 1px solid var(--gguf-line-strong);
        border-radius: var(--gguf-radius);
        background: var(--gguf-surface);
        color: var(--gguf-ink);
        box-shadow: 0 6px 24px rgb(0 0 0 / 18%);
      }
      .note {
        padding: 4px 10px 8px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      [role="group"] + [role="group"] {
        margin-top: 6px;
        padding-top: 6px;
        border-top: 1px solid var(--gguf-line);
      }
      .title {
        padding: 4px 10px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
        font-weight: 600;
      }
      .item {
        position: relative;
        display: grid;
        grid-template-columns: minmax(0, max-content);
        justify-content: start;
        justify-items: start;
        gap: 1px;
        width: 100%;
        min-height: calc(32 * var(--gguf-unit));
        padding: 5px 10px;
        border: 0;
        background: none;
        font-weight: 400;
        text-align: start;
        white-space: normal;
        overflow-wrap: anywhere;
      }
      .item[role="menuitemradio"] {
        padding-inline-start: calc(34 * var(--gguf-unit));
      }
      .item svg {
        position: absolute;
        inset-block-start: 50%;
        inset-inline-start: 10px;
        translate: 0 -50%;
        color: var(--gguf-accent);
      }
      .item:hover,
      .item:focus {
        background: var(--gguf-active);
      }
      @media (pointer: coarse) {
        .item {
          align-content: center;
          min-height: calc(40 * var(--gguf-unit));
        }
      }
      .about {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
        overflow-wrap: anywhere;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
    this.isOpen = false;
  }

  override render() {
    return html`<button
        type="button"
        class="opener ${this.brief ? "quiet icon" : ""}"
        part="button"
        aria-label=${this.brief ? this.label : nothing}
        title=${this.brief ? this.label : nothing}
        aria-haspopup="menu"
        aria-expanded=${this.isOpen}
        aria-controls=${this.isOpen ? "menu" : nothing}
        @click=${() => void this.#toggle(0)}
        @keydown=${this.#onOpenerKey}
      >
        ${this.icon}${this.brief ? nothing : html`<span part="label">${this.label}</span><span class="chevron">${icons.chevron}</span>`}
      </button>
      <div
        id="menu"
        class="menu"
        popover="auto"
        role="menu"
        aria-label=${this.label}
        aria-describedby=${this.note === "" ? nothing : "note"}
        @toggle=${this.#onToggle}
        @keydown=${this.#onKey}
      >
        ${this.isOpen ? this.#renderItems() : nothing}
      </div>`;
  }

  #renderItems() {
    return html`${this.note === "" ? nothing : html`<p class="note" id="note" role="none">${this.note}</p>`}
    ${this.groups().map(
      ({ title, items }) =>
        html`<div role="group" aria-label=${title ?? nothing}>
          ${title === undefined ? nothing : html`<p class="title" role="none">${title}</p>`}
          ${items.map((item) => this.#renderItem(item))}
        </div>`,
    )}`;
  }

  #renderItem(item: MenuItem) {
    const { title, about, checked } = item;
    return html`<button
      type="button"
      class="item"
      role=${checked === undefined ? "menuitem" : "menuitemradio"}
      aria-checked=${checked ?? nothing}
      tabindex="-1"
      @click=${() => this.#run(item)}
    >
      ${checked ? icons.check : nothing}${title}${about === undefined ? nothing : html`<span class="about">${about}</span>`}
    </button>`;
  }

  get #menu(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".menu");
  }

  get #opener(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".opener");
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".item")];
  }

  /** Opens the menu, with the focus on an item, or closes it. -1 is the last item. */
  async #toggle(item: number): Promise<void> {
    if (this.isOpen) {
      this.#close();
      return;
    }
    this.isOpen = true;
    await this.updateComplete;
    this.#menu?.showPopover();
    this.#place();
    this.#items.at(item)?.focus();
  }

  #close(): void {
    this.#menu?.hidePopover();
    this.#opener?.focus();
  }

  /** Places the menu below the button, or above it if there is more room. */
  #place(): void {
    const [menu, opener] = [this.#menu, this.#opener?.getBoundingClientRect()];
    if (!menu || !opener) return;
    const { width, height } = menu.getBoundingClientRect();
    const below = opener.bottom + GAP;
    const isBelow = below + height <= innerHeight - GAP || opener.top < innerHeight - opener.bottom;
    const left = Math.max(GAP, Math.min(opener.right - width, innerWidth - width - GAP));
    const top = isBelow ? Math.min(below, innerHeight - height - GAP) : opener.top - GAP - height;
    menu.style.left = `${left}px`;
    menu.style.top = `${Math.max(GAP, top)}px`;
  }

  #run(item: MenuItem): void {
    this.#close();
    item.run();
  }

  /** The browser also closes the menu: after a click elsewhere, and with Escape. */
  readonly #onToggle = (event: Event) => {
    if ((event as ToggleEvent).newState === "closed") this.isOpen = false;
  };

  readonly #onOpenerKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    if (!this.isOpen) void this.#toggle(event.key === "ArrowDown" ? 0 : -1);
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const items = this.#items;
    const at = items.findIndex((item) => item.matches(":focus"));
    if (event.key === "Tab") {
      // The focus moves on from the button.
      this.#close();
      return;
    }
    const to =
      { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key] ??
      (event.key === "Escape" ? undefined : this.#startingWith(event.key, items, at));
    if (event.key === "Escape") this.#close();
    else if (to === undefined) return;
    else items.at(to % items.length)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };

  /** The next item whose title starts with the typed letters. */
  #startingWith(key: string, items: readonly HTMLElement[], at: number): number | undefined {
    if (key.length !== 1 || key === " ") return undefined;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => (this.#typed = ""), 600);
    this.#typed += key.toLowerCase();
    const from = this.#typed.length === 1 ? at + 1 : Math.max(at, 0);
    const places = items.map((_, place) => (from + place) % items.length);
    return places.find((place) => items[place]?.textContent.trim().toLowerCase().startsWith(this.#typed));
  }
}

define("gguf-menu", GgufMenu);
