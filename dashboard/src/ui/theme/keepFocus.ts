import type { FocusEvent } from "react";

/** What had the focus last in each dialog. */
const last = new WeakMap<Element, HTMLElement>();

/**
 * Keeps the focus where it was in a dialog: another one that closes late gives it back to what had
 * it before, from where it comes to the frame of the open one, and what is typed is lost.
 */
export function keepFocus({ currentTarget, target, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
  if (!target.matches(".MuiDialog-container, .MuiDialog-paper")) last.set(currentTarget, target);
  else if (relatedTarget && !currentTarget.contains(relatedTarget))
    last.get(currentTarget)?.focus({ preventScroll: true });
}
