/** A picture of the page as a file: SVG with the colours that it has on the page, or PNG. */

import { svgElement } from "./svg-element.ts";

/** The properties of style that the pictures use. */
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "stroke-linejoin",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "letter-spacing",
  "text-anchor",
  "dominant-baseline",
  "visibility",
  "paint-order",
] as const;

/** How many pixels of a PNG are one px of the page. */
const SCALE = 2;

/** The colour behind an element: that of the nearest element around it that has one. */
function backgroundOf(element: Element): string {
  for (let at: Element | null = element; at;) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) return backgroundColor;
    const root = at.getRootNode();
    at = at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return "white";
}

/** The text of an SVG file. A program that reads it knows neither the style sheets nor the colours of the page. */
export function svgText(picture: SVGSVGElement, title: string): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const [shown, copied] = [picture, copy].map((root) => [root, ...root.querySelectorAll<SVGElement>("*")]);
  for (const [at, element] of (shown ?? []).entries()) {
    const target = copied?.[at];
    if (!target) continue;
    const style = getComputedStyle(element);
    const isText = element instanceof SVGTextContentElement;
    for (const property of PROPERTIES) {
      if (!isText && /^(?:font|text|letter|dominant)/.test(property)) continue;
      target.style.setProperty(property, plainColour(style.getPropertyValue(property)));
    }
    // Other programs know neither custom properties nor what is computed from them.
    for (const property of [...target.style]) if (property.startsWith("--")) target.style.removeProperty(property);
    for (const name of ["class", "tabindex", "role", "aria-label", "aria-hidden", "aria-labelledby"])
      target.removeAttribute(name);
    for (const name of Object.keys(target.dataset)) delete target.dataset[name];
  }
  const { width, height } = sizeOf(picture);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const behind = svgElement("rect", { width: "100%", height: "100%", fill: backgroundOf(picture) });
  const name = svgElement("title", {});
  name.textContent = title;
  copy.prepend(name, behind);
  return new XMLSerializer().serializeToString(copy);
}

/** A mixed colour as `rgb()`: many programs that read SVG know no `color()`. */
function plainColour(value: string): string {
  return value.replace(
    /color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)/g,
    (_all, red: string, green: string, blue: string, alpha: string | undefined) => {
      const parts = [red, green, blue].map((part) => Math.round(255 * Number(part))).join(", ");
      return alpha === undefined ? `rgb(${parts})` : `rgba(${parts}, ${alpha})`;
    },
  );
}

function sizeOf(picture: SVGSVGElement): { width: number; height: number } {
  return { width: picture.width.baseVal.value, height: picture.height.baseVal.value };
}

/** The picture as an SVG file. */
export function svgFile(picture: SVGSVGElement, title: string): Blob {
  return new Blob([svgText(picture, title)], { type: "image/svg+xml" });
}

/** The picture as a PNG file, with four pixels for each px of the page. */
export async function pngFile(picture: SVGSVGElement, title: string): Promise<Blob> {
  const url = URL.createObjectURL(svgFile(picture, title));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { width, height } = sizeOf(picture);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width * SCALE));
    canvas.height = Math.max(1, Math.round(height * SCALE));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error("The browser cannot write the picture as PNG."));
      }, "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
