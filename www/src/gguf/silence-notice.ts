import { html, nothing } from "lit";
import { escapeText } from "../ui/text.ts";
import type { Silence } from "./silence-watch.ts";

/** Names a server that sends nothing. */
export function renderSilence(silence: Silence | undefined) {
  return silence ? html`<p class="silence" role="status">${silenceText(silence)}</p>` : nothing;
}

function silenceText({ host, seconds, isPartial }: Silence): string {
  const name = host === "" ? "The server" : escapeText(host, 100);
  return `${name} has ${isPartial ? "sent nothing" : "not answered"} for ${seconds} s. The page keeps waiting.`;
}
