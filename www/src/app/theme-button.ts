import { css, html, LitElement } from "lit";
import { state } from "lit/decorators.js";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { define } from "../ui/define.ts";
import { currentTheme, setTheme, type Theme, THEME_LABELS } from "./theme.ts";

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const;
const ICONS = { auto: icons.auto, light: icons.sun, dark: icons.moon };

/** Switches between light, dark and the theme of the system. The choice is stored. */
export class GgufThemeButton extends LitElement {
  @state() private theme: Theme = currentTheme();

  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-flex;
      }
    `,
  ];

  override render() {
    const [shown, next] = [THEME_LABELS[this.theme], THEME_LABELS[NEXT[this.theme]]].map((text) => text.toLowerCase());
    const label = `Theme: ${shown}. Switch to ${next}`;
    return html`<button type="button" class="quiet icon" aria-label=${label} title=${label} @click=${this.#next}>
      ${ICONS[this.theme]}
    </button>`;
  }

  readonly #next = () => {
    this.theme = NEXT[this.theme];
    setTheme(this.theme);
  };
}

define("gguf-theme-button", GgufThemeButton);
