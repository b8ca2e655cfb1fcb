import type { Finding, Gguf } from "gguf-wasm";
import { html, nothing } from "lit";
import type { EditSession } from "../edit/edit-session.ts";
import type { View } from "./address.ts";
import { severityIcon } from "../checks/checks.ts";
import { findingCounts, gravest } from "../checks/findings.ts";
import { grouped } from "../ui/numbers.ts";

/** A tab, with how much is behind it. */
interface Tab {
  view: View;
  title: string;
  count?: number;
  /** What is wrong with the file; undefined until that is known. */
  findings?: readonly Finding[] | undefined;
}

/** The tabs of an open file; the summary has one where it has no room beside the others. */
export function fileTabs(
  gguf: Gguf,
  session: EditSession | undefined,
  findings: readonly Finding[] | undefined,
  wide: boolean,
): readonly Tab[] {
  const tabs: Tab[] = [
    { view: "metadata", title: "Metadata", count: (session ?? gguf).entries.length },
    { view: "tensors", title: "Tensors", count: gguf.tensors.length - (session?.tensorsRemoved ?? 0) },
    { view: "checks", title: "Checks", findings },
  ];
  if (session) tabs.push({ view: "changes", title: "Changes", count: session.changes.length });
  if (!wide) tabs.unshift({ view: "summary", title: "Summary" });
  return tabs;
}

/** The tabs, rendered; `show` is called with the view that is chosen. */
export function renderTabs(tabs: readonly Tab[], view: View, show: (view: View) => void) {
  return html`<div role="tablist" aria-label="Parts of the file" @keydown=${onKey}>
    ${tabs.map(
      (tab) =>
        html`<button
          type="button"
          role="tab"
          id="tab-${tab.view}"
          aria-selected=${tab.view === view}
          aria-controls="panel"
          tabindex=${tab.view === view ? 0 : -1}
          @click=${() => show(tab.view)}
        >
          ${tab.title}${tab.count === undefined ? nothing : html`<span class="many">${grouped(tab.count)}</span>`}${
            tab.findings === undefined ? nothing : renderBadge(tab.findings)
          }
        </button>`,
    )}
  </div>`;
}

/** How many findings there are, in the colour of the gravest. */
function renderBadge(findings: readonly Finding[]) {
  const severity = gravest(findings);
  const words = findingCounts(findings);
  if (severity === undefined) return html`<span class="sr" title=${words}>: ${words}</span>`;
  return html`<span class="badge ${severity}" title=${words}
    >${severityIcon(severity)}<span aria-hidden="true">${grouped(findings.length)}</span
    ><span class="sr">: ${words}</span></span
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
