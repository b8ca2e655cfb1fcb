/**
 * One part of a panel's state, as the page's address stores it: for example a search text or a sort order.
 * `format` and `parse` are declared as methods, because method parameters are bivariant: fields of different states fit into one list.
 */
export interface StateField<State> {
  name: string;
  /** The encoded value; "" for the default. */
  format(state: State): string;
  /** The part of the state that an encoded value stands for; undefined if the value is not valid. */
  parse(encoded: string): Partial<State> | undefined;
}

/** The longest text that is stored in an address: links must fit into a message. */
const MAX_TEXT_LENGTH = 500;
/** The most items that are read from a list in an address. */
const MAX_ITEMS = 1000;
/** The most characters of a list that are stored in an address. */
const MAX_LIST_LENGTH = 1500;

/** Encodes a text. `:`, `/`, `@` and `,` stay as they are, so that people can read addresses and names. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:3A|2F|40|2C)/g, decodeURIComponent);
}

/** Decodes a text. A text that is not encoded properly is returned unchanged. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes a text that a person typed; "" if it is too long. */
export function formatShortText(text = ""): string {
  return text.length > MAX_TEXT_LENGTH ? "" : encodeText(text);
}

export function parseShortText(encoded: string): string {
  return decodeText(encoded).slice(0, MAX_TEXT_LENGTH);
}

/** Encodes a list: commas separate the items, and commas within an item are encoded. "" if the list is too long. */
export function formatList(items: readonly string[] = []): string {
  const encoded = items.map((item) => encodeText(item).replaceAll(",", "%2C")).join(",");
  return encoded.length > MAX_LIST_LENGTH ? "" : encoded;
}

/** Decodes a list, without empty and repeated items. */
export function parseList(encoded: string): string[] {
  return [...new Set(encoded.split(",").map(decodeText))].filter((item) => item !== "").slice(0, MAX_ITEMS);
}
