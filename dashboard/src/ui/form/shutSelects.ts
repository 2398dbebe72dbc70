/** A choice that is shut: Enter opens it. */
const SHUT = "[role=combobox][aria-expanded=false]:not(input)";

/**
 * Keeps a choice shut when Enter comes again after the Enter that chose: it sends the form, as in any
 * other field. Before anything was chosen, Enter opens it.
 */
export function keepSelectsShut(): void {
  let isChosen = false;
  const onKey = (event: KeyboardEvent) => {
    const { key, target } = event;
    const wasChosen = isChosen;
    isChosen = false;
    if (key !== "Enter" || !(target instanceof Element)) return;
    if (target.closest("[role=option]")) isChosen = true;
    else if (wasChosen && target.matches(SHUT)) {
      event.preventDefault();
      event.stopPropagation();
      // The Enter that chose is still held down.
      if (event.repeat) isChosen = true;
      else target.closest("form")?.querySelector<HTMLElement>("button[type=submit]")?.click();
    }
  };
  const forget = () => {
    isChosen = false;
  };
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("pointerdown", forget, true);
}
