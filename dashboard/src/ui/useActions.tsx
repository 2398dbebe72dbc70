import { type ReactNode, useState } from "react";
import { ConfirmDialog, type ConfirmDialogProps } from "./ConfirmDialog";
import type { Act } from "./menu/ActMenu";

/** What a confirmation asks; its button says what its title does, unless it has words of its own. */
type Question = Omit<ConfirmDialogProps, "onClose" | "action"> & { action?: string };

/** Something that can be done with what a page or a row shows. */
export interface Action {
  label: string;
  /** Whether it can be done now, and by this user. */
  isOffered?: boolean;
  /** Whether a menu warns of it. */
  isGrave?: boolean;
  /** Done after a confirmation. */
  confirm?: Question;
  /** Done in a dialog of its own. */
  dialog?: (onClose: () => void) => ReactNode;
  /** Done at once. */
  act?: () => void;
}

/**
 * The actions of a page, or of each item of its list, and the dialog of the one that was chosen:
 * `of(item)` goes to a `RowMenu` or `MoreMenu`, and `dialog` into the page.
 */
export function useActions<Item = void>(actionsOf: (item: Item) => readonly Action[]) {
  const [asked, setAsked] = useState<{ item: Item; label: string } | null>(null);
  const action = asked && actionsOf(asked.item).find(({ label }) => label === asked.label);
  // What it did may have opened another dialog already.
  const close = () => setAsked((now) => (now === asked ? null : now));
  return {
    of: (item: Item): Act[] =>
      actionsOf(item)
        .filter(({ isOffered = true }) => isOffered)
        .map(({ label, isGrave = false, act }) => ({
          label,
          isGrave,
          act: act ?? (() => setAsked({ item, label })),
        })),
    /** Opens the dialog of an action, such as one that follows another. */
    ask: (item: Item, label: string) => setAsked({ item, label }),
    dialog:
      action?.dialog?.(close) ??
      (action?.confirm && (
        <ConfirmDialog action={action.confirm.title} {...action.confirm} onClose={close} />
      )),
  };
}
