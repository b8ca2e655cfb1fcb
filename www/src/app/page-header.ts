import { html } from "lit";
import "./theme-button.ts";

/** The bar at the top of the page: a link to the start page, the controls of the open file, the theme. */
export function renderHeader({
  title,
  home,
  file,
}: {
  title: string;
  home: (event: MouseEvent) => void;
  file: unknown;
}) {
  return html`<header>
    <a class="home" href="#" @click=${home}>
      <svg viewBox="0 0 18 18" width="18" height="18" fill="currentColor" aria-hidden="true">
        <rect x="1" y="2" width="4" height="14" rx="1"></rect>
        <rect x="7" y="2" width="10" height="4" rx="1" opacity="0.85"></rect>
        <rect x="7" y="7" width="8" height="4" rx="1" opacity="0.6"></rect>
        <rect x="7" y="12" width="10" height="4" rx="1" opacity="0.35"></rect></svg
      >${title}
    </a>
    ${file}
    <gguf-theme-button></gguf-theme-button>
  </header>`;
}
