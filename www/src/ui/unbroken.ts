/** A text in which no line ends between a number and its unit: "8,192 tokens", "4.58 GiB". */
export function unbroken(text: string): string {
  return text.replace(/(\d) (?=\p{Letter})/gu, "$1\u00a0");
}
