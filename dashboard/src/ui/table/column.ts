import type { ReactNode } from "react";

/** A window wide enough for a column: see `breakpoints` of the theme. */
export type Breakpoint = "sm" | "md" | "lg" | "xl";

export interface Column<T> {
  key: string;
  label: string;
  /** What a cell shows; by default the value under `key`. */
  cell?: (item: T) => ReactNode;
  /** The API's name of the order, if the list can be sorted by it. */
  sort?: string;
  /** Figures stand at the end of their column. */
  align?: "end";
  /** Hidden in narrower windows. */
  from?: Breakpoint;
  /** Does not break lines. */
  fits?: boolean;
  /** The label is for screen readers only, such as that of a column of buttons. */
  isUnlabeled?: boolean;
}
