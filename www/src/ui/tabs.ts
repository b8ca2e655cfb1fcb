import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { formatInteger } from "./numbers.ts";
import "./scroll-row.ts";

/** A tab. `count` and `badge` stand beside the title. */
export interface Tab<Name extends string> {
  name: Name;
  title: string;
  count?: number | undefined;
  badge?: unknown;
  /** Whether a line stands before the tab. */
  beginsGroup?: boolean;
}

/**
 * A list of tabs over the element with the id `panel`, in one row. `show` is called with the tab that a person chooses, and `approach` with
 * a tab that has the pointer or the focus. The styles are `tabStyles`.
 */
export function renderTabs<Name extends string>(options: {
  tabs: readonly Tab<Name>[];
  current: Name;
  label: string;
  show: (name: Name) => void;
  approach?: (name: Name) => void;
}) {
  const { tabs, current, label, show, approach } = options;
  return html`<gguf-scroll-row .shown=${current}
    ><div role="tablist" aria-label=${label} @keydown=${onKey}>
      ${repeat(
        tabs,
        // Each tab keeps its button when another tab comes or goes. Otherwise a click that began on one tab could end on the next.
        ({ name }) => name,
        ({ name, title, count, badge, beginsGroup = false }) =>
          html`<button
            type="button"
            role="tab"
            class=${beginsGroup ? "first" : ""}
            id="tab-${name}"
            aria-selected=${name === current}
            aria-controls="panel"
            tabindex=${name === current ? 0 : -1}
            @click=${() => show(name)}
            @pointerenter=${() => approach?.(name)}
            @focus=${() => approach?.(name)}
          >
            <span class="title" data-title=${title}>${title}</span
            >${count === undefined ? nothing : html`<span class="many">${formatInteger(count)}</span>`}${badge ?? nothing}
          </button>`,
      )}
    </div></gguf-scroll-row
  >`;
}

function onKey(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
  if (!tab) return;
  event.preventDefault();
  tab.click();
  tab.focus();
}
