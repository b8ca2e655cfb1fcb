/** Elements of SVG without a template: for a thousand elements, and for files. */

const NAMESPACE = "http://www.w3.org/2000/svg";

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** An element with attributes. */
export function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
}

/** An element `text` with attributes. */
export function svgLabel(words: string, attributes: Attributes): SVGTextElement {
  const element = svgElement("text", attributes);
  element.textContent = words;
  return element;
}
