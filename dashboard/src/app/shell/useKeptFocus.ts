import { useEffect, type RefObject } from "react";

/** A step on the way from an element up to the page: which child it is of what. */
interface Step {
  within: Element;
  place: number;
}

const HOLDERS = "a[href], button, input, select, textarea, [tabindex]";

const canHold = (one: HTMLElement): boolean =>
  one.isConnected && one.tabIndex >= 0 && !one.matches(":disabled") && one.checkVisibility();

function stepsTo(target: Element, page: Element): Step[] {
  const steps: Step[] = [];
  for (let one = target; one.parentElement && one.parentElement !== page; one = one.parentElement)
    steps.push({
      within: one.parentElement,
      place: [...one.parentElement.children].indexOf(one),
    });
  return steps;
}

/** What stands now where the target stood: preferably of its kind, such as the next row's button. */
function inPlaceOf(target: HTMLElement, steps: readonly Step[]): HTMLElement | undefined {
  if (canHold(target)) return target;
  for (const { within, place } of steps) {
    const there = within.isConnected && (within.children[place] ?? within.lastElementChild);
    if (!there) continue;
    const holders = [there, ...there.querySelectorAll(HOLDERS)]
      .filter((one) => one instanceof HTMLElement)
      .filter(canHold);
    const found = holders.find(({ tagName }) => tagName === target.tagName) ?? holders[0];
    if (found) return found;
  }
  return undefined;
}

/** Whether a button is disabled only while what it started goes on. */
const isBusy = (one: Element): boolean =>
  one.isConnected && one.matches(":disabled") && one.querySelector("[role=progressbar]") !== null;

const isLost = (): boolean =>
  document.activeElement === null ||
  document.activeElement === document.body ||
  document.activeElement.matches(":disabled");

/**
 * Keeps the focus of those who use the keyboard. When what has it goes away, such as a row that is
 * deleted or a page that is left, it goes to what takes its place, or else to the page as a whole.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const page = main.current;
    if (!page) return undefined;
    let isByKeyboard = false;
    let hasHeld = false;
    let target: HTMLElement | null = null;
    let steps: Step[] = [];
    const remember = () => {
      const { activeElement } = document;
      if (!isByKeyboard || isLost() || !(activeElement instanceof HTMLElement)) return;
      hasHeld = true;
      if (!page.contains(activeElement)) return;
      target = activeElement;
      steps = stepsTo(activeElement, page);
    };
    const onKey = () => {
      isByKeyboard = true;
      remember();
    };
    const onPointer = () => {
      isByKeyboard = hasHeld = false;
      target = null;
    };
    const restore = () => {
      // A dialog or menu covers the page, and keeps the focus itself.
      if (!hasHeld || !isLost() || page.closest("[aria-hidden=true]")) return;
      if (target && isBusy(target)) return;
      const next = target && inPlaceOf(target, steps);
      if (next) next.focus();
      else page.focus({ preventScroll: true });
    };
    // Not at once: what was opened may take the focus itself.
    const observer = new MutationObserver(() => requestAnimationFrame(restore));
    const changes = { childList: true, subtree: true, attributeFilter: ["disabled"] };
    observer.observe(document.body, changes);
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("focusin", remember);
    window.addEventListener("pointerdown", onPointer, true);
    return () => {
      observer.disconnect();
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("focusin", remember);
      window.removeEventListener("pointerdown", onPointer, true);
    };
  }, [main]);
}
