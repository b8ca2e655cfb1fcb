import { css, html, LitElement } from "lit";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { define } from "../ui/define.ts";

type Theme = "auto" | "light" | "dark";

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const;
const LABELS = { auto: "system", light: "light", dark: "dark" } as const;
const ICONS = { auto: icons.auto, light: icons.sun, dark: icons.moon };

/** Switches between light, dark and the theme of the system. The choice is stored. */
export class GgufThemeButton extends LitElement {
  static override properties = { theme: { state: true } };

  declare private theme: Theme;

  constructor() {
    super();
    const chosen = document.documentElement.dataset["theme"];
    this.theme = chosen === "light" || chosen === "dark" ? chosen : "auto";
  }

  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-flex;
      }
    `,
  ];

  override render() {
    const label = `Theme: ${LABELS[this.theme]}. Switch to ${LABELS[NEXT[this.theme]]}`;
    return html`<button type="button" class="quiet icon" aria-label=${label} title=${label} @click=${this.#next}>
      ${ICONS[this.theme]}
    </button>`;
  }

  readonly #next = () => {
    this.theme = NEXT[this.theme];
    if (this.theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = this.theme;
    try {
      if (this.theme === "auto") localStorage.removeItem("theme");
      else localStorage.setItem("theme", this.theme);
    } catch {
      // Storage may be forbidden. The choice then lasts until the page is closed.
    }
  };
}

define("gguf-theme-button", GgufThemeButton);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-theme-button": GgufThemeButton;
  }
}
