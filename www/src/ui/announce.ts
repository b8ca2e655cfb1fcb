/** Makes the viewer's live region announce a message to screen readers. */
export function announce(from: HTMLElement, message: string): void {
  from.dispatchEvent(new CustomEvent("gguf-announce", { detail: message, bubbles: true, composed: true }));
}
