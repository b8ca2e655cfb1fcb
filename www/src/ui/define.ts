/** Registers a custom element. The first copy wins if a page loads two builds of the viewer. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}
