import { html, type TemplateResult } from "lit";

/** An icon on a 16 px grid with one stroke width, so that it aligns with 13 px text. It grows with the text. */
function icon(path: string): TemplateResult {
  return html`<svg
    class="glyph"
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d=${path}></path>
  </svg>`;
}

/** Three dots: a menu with more actions. */
const more = html`<svg class="glyph" viewBox="0 0 16 16" width="16" height="16" fill="currentColor" aria-hidden="true">
  <circle cx="8" cy="3" r="1.4"></circle>
  <circle cx="8" cy="8" r="1.4"></circle>
  <circle cx="8" cy="13" r="1.4"></circle>
</svg>`;

export const icons = {
  search: icon("M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14"),
  copy: icon(
    "M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z",
  ),
  check: icon("m3 8.5 3.2 3.2L13 5"),
  chevron: icon("m6 4 4 4-4 4"),
  dense: icon("M2.5 3.5h11M2.5 6.5h11M2.5 9.5h11M2.5 12.5h11"),
  comfortable: icon("M2.5 3h11v3.5h-11ZM2.5 9.5h11V13h-11Z"),
  up: icon("M8 12.5v-9M4.5 7 8 3.5 11.5 7"),
  down: icon("M8 3.5v9M4.5 9 8 12.5 11.5 9"),
  save: icon("M8 2.5v7.3M4.7 6.7 8 10l3.3-3.3M3 13.5h10"),
  left: icon("M12.5 8h-9M7 4.5 3.5 8 7 11.5"),
  right: icon("M3.5 8h9M9 4.5 12.5 8 9 11.5"),
  file: icon("M4 2h5l3.5 3.5V13a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1Zm5 0v3.5h3.5"),
  sun: icon(
    "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7",
  ),
  moon: icon("M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z"),
  auto: icon("M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12M8 5h4.5M8 8h6M8 11h4.5"),
  key: icon("M10 9.5a3.5 3.5 0 1 0-3.3-2.3L2 12v2h2.5v-1.5H6V11h1.5l1.3-1.3M10.8 5.3v.1"),
  link: icon(
    "M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.6.6M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.6-.6",
  ),
  warning: icon("M8 2 14.5 13.5h-13L8 2Zm0 4.5v3M8 11.6v.1"),
  error: icon("M5.5 1.8h5l3.7 3.7v5l-3.7 3.7h-5l-3.7-3.7v-5l3.7-3.7ZM8 5v3.6M8 11v.1"),
  info: icon("M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.4V11M8 5v.1"),
  pen: icon("m3 13 .7-2.9 7.1-7.1a1.2 1.2 0 0 1 1.7 0l.5.5a1.2 1.2 0 0 1 0 1.7L5.9 12.3 3 13Z"),
  undo: icon("M5.5 3.5 2.5 6.5l3 3M2.5 6.5h7a3.5 3.5 0 0 1 0 7H6"),
  redo: icon("m10.5 3.5 3 3-3 3M13.5 6.5h-7a3.5 3.5 0 0 0 0 7H10"),
  plus: icon("M8 3v10M3 8h10"),
  close: icon("m4 4 8 8M12 4l-8 8"),
  more,
} as const;
