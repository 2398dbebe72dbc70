/** The rows of a table or cards of a list, in order. */
export const rowsIn = (list: ParentNode): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>("[data-row]"),
];

/** The row that an element stands in. */
export const rowOf = (one: EventTarget | null): HTMLElement | null =>
  one instanceof Element ? one.closest<HTMLElement>("[data-row]") : null;

/** Gives a row the focus: its link takes it, else its first button or checkbox. */
export function focusOnRow(row: HTMLElement | undefined): void {
  const handle = row?.querySelector<HTMLElement>("a[href]") ?? row?.querySelector("button, input");
  if (handle instanceof HTMLElement) handle.focus();
}

/** Gives the row of an item the focus, or the first one if that is not shown any more. */
export function focusOnItem(id: string): void {
  const rows = rowsIn(document);
  focusOnRow(rows.find(({ dataset }) => dataset["row"] === id) ?? rows[0]);
}
