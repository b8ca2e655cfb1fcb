/** Text in a location hash: readable where that is safe. */

/** Encodes a value. `:`, `/`, `@` and `,` stay as they are, so that addresses and names can be read. */
export function encodeHashText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:3A|2F|40|2C)/g, decodeURIComponent);
}

/** Decodes a value; one that is not encoded properly stays as it is. */
export function decodeHashText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes a list: its items are separated by commas, and commas within an item are encoded. */
export function encodeHashList(items: readonly string[]): string {
  return items.map((item) => encodeHashText(item).replaceAll(",", "%2C")).join(",");
}

/** Decodes a list, without empty and repeated items. */
export function decodeHashList(text: string): string[] {
  return [...new Set(text.split(",").map(decodeHashText))].filter((item) => item !== "");
}
