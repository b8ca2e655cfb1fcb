/** Opens another file of a repository in the viewer around an element. */

export function openSibling(element: HTMLElement, address: string): void {
  const detail = { source: address, isAlone: false };
  element.dispatchEvent(new CustomEvent("gguf-open-shard", { detail, bubbles: true, composed: true }));
}
