import { t } from "@lingui/core/macro";
import type { ComponentType } from "react";
import { statusWords } from "../../status";
import type { Tagged } from "../../tags/knownTags";
import type { Filters, Query } from "../useList";

/** What a value is typed or picked in; it sets the filter, and says when that is done. */
export interface EditorProps {
  kind: FilterKind;
  onDone: () => void;
}

/** One for what many lists have. */
export type Editor = "product" | "tag" | "text" | "day" | "period";

/** What the value of a filter is the ID of, whose name the chip says. */
export type Subject = "product" | "policy" | "customer";

/**
 * A filter of a list. One with neither choices nor an editor is set by links only, and is shown
 * while it is active.
 */
export interface FilterKind {
  /** Its name in the address. */
  name: string;
  /** What it is called: "Status". */
  label: string;
  /** Values to choose from. */
  choices?: readonly (readonly [value: string, label: string])[];
  /** The filters that a choice sets, if that is not the one of the kind's name. */
  set?: (choice: string) => Query;
  editor?: Editor | ComponentType<EditorProps>;
  /** What leads from the choices to the editor, where there are both. */
  other?: string;
  /** What tags are of. */
  tagged?: Tagged;
  subject?: Subject;
  /** Filters that are set and taken away with it: the end of a period. */
  also?: readonly string[];
  /** Filters that cannot be combined with it. */
  clears?: readonly string[];
  /** An active one in words, if they are not "Status: Active". */
  words?: (filters: Filters) => string;
}

/** A filter by one of a few statuses. */
export const statusKind = (statuses: readonly string[], name = "status"): FilterKind => ({
  name,
  label: name === "status" ? t`Status` : t`State`,
  choices: statuses.map((status) => [status, statusWords(status)]),
});

/** What was typed into the search of a list. */
export const SEARCH_KIND: FilterKind = { name: "search", label: t`Search` };

const namesOf = ({ name, also = [] }: FilterKind) => [name, ...also];

export const isActive = (kind: FilterKind, filters: Filters): boolean =>
  namesOf(kind).some((name) => filters[name] !== undefined);

const without = (names: readonly string[]): Query =>
  Object.fromEntries(names.map((name) => [name, null]));

/** What takes a filter away. */
export const removed = (kind: FilterKind): Query =>
  without([...namesOf(kind), ...(kind.clears ?? [])]);

/** What sets a filter to a value. */
export const given = (kind: FilterKind, value: string | null): Query => ({
  ...without(kind.clears ?? []),
  ...(value === null ? removed(kind) : (kind.set?.(value) ?? { [kind.name]: value })),
});

/** Whether a list is filtered by a choice. */
export const isChosen = (kind: FilterKind, choice: string, filters: Filters): boolean =>
  Object.entries(kind.set?.(choice) ?? { [kind.name]: choice }).every(
    ([name, value]) => filters[name] === value,
  );
