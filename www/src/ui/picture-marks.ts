/**
 * The marks of a picture, such as the cells of a map, with the keyboard. A mark is an element with `data-row` and `data-column`, numbers of
 * its place, and `tabindex="-1"`. One mark can be reached with Tab; the arrow keys move from there.
 */

/** The marks of a picture in the order of the document. */
function marksOf(picture: ParentNode): SVGElement[] {
  return [...picture.querySelectorAll<SVGElement>("[data-row]")];
}

const placeOf = ({ dataset }: SVGElement) => ({
  row: Number(dataset["row"]),
  column: Number(dataset["column"]),
});

/** The mark that a key leads to. Undefined if the key does not move. */
function nextMark(marks: readonly SVGElement[], from: SVGElement, key: string): SVGElement | undefined {
  const { row, column } = placeOf(from);
  const inRow = (wanted: number) => marks.filter((mark) => placeOf(mark).row === wanted);
  const at = (wanted: readonly SVGElement[], index: number) => wanted.at(index);
  if (key === "Home") return at(inRow(row), 0);
  if (key === "End") return at(inRow(row), -1);
  if (key === "ArrowRight") return inRow(row).find((mark) => placeOf(mark).column > column);
  if (key === "ArrowLeft") return inRow(row).findLast((mark) => placeOf(mark).column < column);
  const rows = [...new Set(marks.map((mark) => placeOf(mark).row))].sort((a, b) => a - b);
  const next =
    key === "ArrowDown"
      ? rows.find((other) => other > row)
      : key === "ArrowUp"
        ? rows.findLast((other) => other < row)
        : undefined;
  if (next === undefined) return undefined;
  // The nearest one: rows may have gaps, and different numbers of marks.
  const distance = (mark: SVGElement) => Math.abs(placeOf(mark).column - column);
  return inRow(next).reduce<SVGElement | undefined>(
    (best, mark) => (best === undefined || distance(mark) < distance(best) ? mark : best),
    undefined,
  );
}

/** Makes one mark reachable with Tab: the one that was, or the first. */
export function enterMarks(picture: ParentNode): void {
  const [entry, ...others] = picture.querySelectorAll<SVGElement>('[data-row][tabindex="0"]');
  for (const mark of others) mark.setAttribute("tabindex", "-1");
  if (!entry) picture.querySelector<SVGElement>("[data-row]")?.setAttribute("tabindex", "0");
}

/** Makes the mark in the place of one that was replaced reachable with Tab, and gives it the focus if that one had it. */
export function enterSameMark(picture: ParentNode, { dataset: { row, column } }: SVGElement, hadFocus: boolean): void {
  const mark = picture.querySelector<SVGElement>(`[data-row="${row}"][data-column="${column}"]`);
  mark?.setAttribute("tabindex", "0");
  if (hadFocus) mark?.focus();
}

/** The mark that an event is about. */
export function markOf(event: Event): SVGElement | undefined {
  const [target] = event.composedPath();
  return target instanceof Element ? (target.closest<SVGElement>("[data-row]") ?? undefined) : undefined;
}

/** Moves the focus to another mark. Returns whether the key does that. */
export function moveMark(event: KeyboardEvent, picture: ParentNode): boolean {
  const from = markOf(event);
  if (!from || event.altKey || event.ctrlKey || event.metaKey) return false;
  const to = nextMark(marksOf(picture), from, event.key);
  if (!to) return /^(?:Arrow|Home$|End$)/.test(event.key);
  from.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
  return true;
}
