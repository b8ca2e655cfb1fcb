import { html, nothing } from "lit";
import { escapeText } from "../ui/text.ts";
import type { Silence } from "./silence-watch.ts";

/** Names a server that sends nothing. The element is in the document before the server is silent, so that screen readers announce it. */
export function renderSilence(silence: Silence | undefined) {
  return html`<p class="silence" role="status">${silence ? silenceText(silence) : nothing}</p>`;
}

function silenceText({ host, seconds, isPartial }: Silence): string {
  const name = host === "" ? "The server" : escapeText(host, 100);
  return `${name} has ${isPartial ? "sent nothing" : "not answered"} for ${seconds} s. The page keeps waiting.`;
}
