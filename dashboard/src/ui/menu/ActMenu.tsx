import { floating } from "../lazy";

export interface Act {
  label: string;
  act: () => void;
  /** Whether it is the value that is chosen now. */
  isChosen?: boolean;
  /** Whether the entry warns of it. */
  isGrave?: boolean;
  /** Whether something is missing for it yet. */
  isBlocked?: boolean;
}

export interface ActMenuProps {
  open: boolean;
  /** The element that opened it. */
  anchor: Element | (() => Element | null) | null;
  /** Accessible name, where the button does not give it. */
  label?: string | undefined;
  acts: readonly Act[];
  /** The edge that it has in common with its button. */
  place?: "left" | "right";
  /** Of each entry. */
  className?: string | undefined;
  onClose: () => void;
}

/** A menu of what can be done, or chosen; whatever is clicked closes it first. */
export const ActMenu = floating<ActMenuProps>(() => import("./OpenActMenu"));
