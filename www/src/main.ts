import "./viewer.ts";
import { GgufApp } from "./app/app.ts";
import { GgufLanding } from "./app/landing.ts";
import { GgufOpenField } from "./app/open-field.ts";
import { GgufThemeButton } from "./app/theme-button.ts";
import { GgufTokenForm } from "./app/token-form.ts";

customElements.define("gguf-theme-button", GgufThemeButton);
customElements.define("gguf-token-form", GgufTokenForm);
customElements.define("gguf-open-field", GgufOpenField);
customElements.define("gguf-landing", GgufLanding);
customElements.define("gguf-app", GgufApp);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-app": GgufApp;
    "gguf-landing": GgufLanding;
    "gguf-open-field": GgufOpenField;
    "gguf-theme-button": GgufThemeButton;
    "gguf-token-form": GgufTokenForm;
  }
}
