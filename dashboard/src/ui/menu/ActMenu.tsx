import { floating } from "../lazy";

export interface Act {
  label: string;
  act: () => void;
  /** Whether it is the value that is chosen now. */
  isChosen?: boolean;
  /** Whether the entry warns of it. */
  isGrave?: boolean;
}

export interface ActMenuProps {
  open: boolean;
  /** The element that opened it. */
  anchor: Element | (() => Element | null) | null;
  /** Accessible name, where the button does not give it. */
  label?: string | undefined;
  acts: readonly Act[];
  /** Which edges of the menu and of the element are in line: where there is room for it. */
  side?: "left" | "right";
  /** Of each entry. */
  className?: string | undefined;
  onClose: () => void;
}

/** A menu of what can be done, or chosen; whatever is clicked closes it first. */
export const ActMenu = floating<ActMenuProps>(() => import("./OpenActMenu"));
