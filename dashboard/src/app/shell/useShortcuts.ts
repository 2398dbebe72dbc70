import { t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { pressPageKey } from "../../ui/pageKeys";
import { focusOnFirstRow, isInRow } from "../../ui/table/rows";
import { selectableList } from "../../ui/table/shownLists";
import { notify } from "../../ui/toasts/toasts";
import { useStored } from "../../ui/useStored";
import { useCan } from "../../ui/useInstitution";
import { useEntries } from "./entries";

/** What a key has opened. */
export type Opened = "palette" | "shortcuts" | null;

/** Whether single keys are shortcuts; people who dictate can turn them off. */
export const useSingleKeys = () => useStored("singleKeys", true);

const TAKERS =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=combobox]";

/** A choice above a list, closed: arrows open it, and letters mean nothing to it. */
const CLOSED_FILTER = "[data-filters] [role=combobox][aria-expanded=false]:not(input)";

/** Whether a key belongs to what has the focus: a field, a menu, a list, a dialog. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(TAKERS) !== null &&
  (!target.matches(CLOSED_FILTER) || target.closest("[role=dialog]") !== null);

const withHotkey = (key: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(`[data-hotkey~='${key}']`)].at(-1);

/** Goes to the element of the page that has the key. */
function focusOn(key: string): boolean {
  const found = withHotkey(key);
  found?.focus();
  if (found instanceof HTMLInputElement) found.select();
  return found !== undefined;
}

/** What the arrows mean nothing to: the page, a heading that was led to, a button, a link. */
const STILL = "body, [tabindex='-1'], button:not([role]), a[href]:not([role])";

/** Whether a key may lead from what has the focus to the list; within its rows it leads on. */
const leadsToList = ({ key, target }: KeyboardEvent): boolean =>
  !isInRow(target) && (key === "j" || (document.activeElement?.matches(STILL) ?? true));

/** Where a license is issued: of the product whose page is open. */
function issuingFrom(pathname: string): string {
  const [, productId] = /\/products\/([0-9a-f-]{36})/.exec(pathname) ?? [];
  return productId ? `/licenses/new?productId=${productId}` : "/licenses/new";
}

/** Presses what the page has for the key, such as the newest Undo; a field takes the focus. */
function pressOf(key: string): boolean {
  const found = /^[a-z]$/.test(key) ? withHotkey(key) : undefined;
  if (found instanceof HTMLTextAreaElement) found.focus();
  else found?.click();
  return found !== undefined;
}

/**
 * Ctrl/Cmd+K, Ctrl/Cmd+A for the rows of a list, `/`, `?`, `c`, `b`, `z`, `j` and the arrow to the first row, what `data-hotkey` or the page
 * of a thing has a key for, and `g` with the letter of a page.
 */
export function useShortcuts(opened: Opened, open: (what: Opened) => void): void {
  const groups = useEntries();
  const navigate = useNavigate();
  const { manage } = useCan();
  const [hasSingleKeys] = useSingleKeys();
  /** Whether the key before was `g`; it waits for the next one, however slow, or a click. */
  const goes = useRef(false);
  /** A key after `g` for which there is no page, or none before it is known who somebody is. */
  const missed = useRef<string | null>(null);
  useEffect(() => {
    const goTo = (key: string): boolean => {
      const entry = groups.flatMap(({ entries }) => entries).find((one) => one.key === key);
      missed.current = entry ? null : key;
      if (entry) void navigate(entry.to);
      return entry !== undefined;
    };
    const single = (event: KeyboardEvent): boolean => {
      const isSecond = goes.current;
      goes.current = event.key === "g";
      missed.current = null;
      if (isSecond && event.key !== "g") return goTo(event.key);
      if (event.key === "?") open("shortcuts");
      else if (event.key !== "b" && pressOf(event.key)) return true;
      else if (pressPageKey(event.key)) return true;
      else if (event.key === "c" && manage) void navigate(issuingFrom(window.location.pathname));
      else if (event.key === "b") return focusOn("b");
      else if (event.key === "z") notify(t`Nothing to undo.`);
      else if (event.key === "j" || event.key === "ArrowDown")
        return leadsToList(event) && focusOnFirstRow();
      else if (event.key !== "/") return false;
      else if (!focusOn("/")) open("palette");
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      if (isPalette) {
        event.preventDefault();
        open(opened === "palette" ? null : "palette");
        return;
      }
      const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a";
      const selectAll = isAll && !opened && !isTaken(event.target) ? selectableList() : undefined;
      if (selectAll) {
        event.preventDefault();
        selectAll();
        return;
      }
      const isModified = event.ctrlKey || event.metaKey || event.altKey || event.key === "Shift";
      if (event.defaultPrevented && event.key.startsWith("Arrow")) return;
      if (!hasSingleKeys || isModified || opened || isTaken(event.target)) return;
      if (single(event)) event.preventDefault();
    };
    const onPointer = () => {
      goes.current = false;
      missed.current = null;
    };
    if (missed.current !== null) goTo(missed.current);
    window.addEventListener("keydown", onKey);
    window.addEventListener("pointerdown", onPointer);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("pointerdown", onPointer);
    };
  }, [groups, navigate, manage, hasSingleKeys, opened, open]);
}
