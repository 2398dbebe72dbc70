import { t } from "@lingui/core/macro";
import { statusWords } from "../../status";
import type { Sort } from "../sorting";
import type { Filters } from "../useList";

/** Named filters and sort order of a list. */
export interface ListView {
  label: string;
  filter: Filters;
  sort: Sort;
}

/** A view that the server keeps. */
export interface KeptView extends ListView {
  id: string;
  /** The columns to show; null for those that the user has chosen. */
  columns: string[] | null;
  /** Whether the whole institution sees it. */
  isShared: boolean;
  mayChange: boolean;
}

const ordered = (filter: Filters) =>
  JSON.stringify(Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1)));

/** A view of all, and one of each status. */
export const statusViews = (statuses: readonly string[], sort: Sort): ListView[] => [
  { label: t`All`, filter: {}, sort },
  ...statuses.map((status) => ({ label: statusWords(status), filter: { status }, sort })),
];

/** Whether the list currently shows a view. */
export const isView = (view: ListView, filter: Filters, sort: Sort): boolean =>
  ordered(view.filter) === ordered(filter) && view.sort === sort;
