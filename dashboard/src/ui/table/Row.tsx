import type { CSSProperties, MouseEvent, ReactNode } from "react";
import { useNavigate } from "react-router";
import { date, dateTime, number } from "../formats";
import { AscendingIcon } from "../icons";
import { fieldOf, isDescending, sortedBy } from "../list/sorting";
import { useListContext } from "../list/useList";
import { RelativeTime } from "../RelativeTime";
import { StatusChip } from "../StatusChip";
import { VisuallyHidden } from "../VisuallyHidden";
import { type Selection, SelectOne } from "./selection/useSelection";
import styles from "./table.module.css";

const WEEK_MS = 7 * 86_400_000;

/** How values of tables are shown; `recent` is how long ago, and after a week the date. */
const SHOWN = {
  date,
  dateTime,
  number,
  ago: (moment: string) => <RelativeTime at={moment} />,
  recent: (moment: string) =>
    Date.now() - new Date(moment).getTime() < WEEK_MS ? (
      <RelativeTime at={moment} />
    ) : (
      <time dateTime={moment} title={dateTime(moment)}>
        {date(moment)}
      </time>
    ),
  status: (status: string) => <StatusChip status={status} />,
};

export interface Column<T> {
  key: string;
  label: string;
  /** What a cell shows; by default the value under `key`. */
  cell?: (item: T) => ReactNode;
  /** How the value under `key` is shown, if not as it is. */
  as?: keyof typeof SHOWN;
  /** The API's name of the order, if the list can be sorted by it; `true` for that of `key`. */
  sort?: string | true;
  /** Figures stand at the end of their column. */
  align?: "end";
  /** Hidden where the table has little room; below that, rows are short and show it. */
  from?: "lg";
  /**
   * In short rows, where it is not below the name with its label: it is the name, at the end of its
   * line, below it without its label, so before the others, or left out.
   */
  short?: "name" | "beside" | "plain" | "first" | "left out";
  /** Left out while no item of the page has a value, or a list that is not empty, under `key`. */
  isRare?: boolean;
  /** Does not break lines. */
  fits?: boolean;
  /**
   * How wide it is in pixels, where there is room, whatever its cells say. The columns of the table
   * without a width share the rest.
   */
  width?: number;
  /** The label is for screen readers only, such as that of a column of buttons. */
  isUnlabeled?: boolean;
}

interface RowProps<T extends { id: string }> {
  item: T;
  columns: Column<T>[];
  /** What a click on the row does, if anything. */
  go: ((item: T) => void) | undefined;
  selection?: Selection<T>;
}

const OWN_CLICK = "a, button, input, label, select, textarea, [role=menuitem]";

/** Whether a click means the row, and not something in it or a text that is being marked. */
export const meansRow = (event: MouseEvent<HTMLElement>): boolean =>
  event.target instanceof Element &&
  // Menus and dialogs of a row are its children for React, but not in the page.
  event.currentTarget.contains(event.target) &&
  event.target.closest(OWN_CLICK) === null &&
  !window.getSelection()?.toString();

/** What a click on a row does: it opens the item or leads to it, if either is given. */
export function useGo<T>(
  link: ((item: T) => string) | undefined,
  onOpen: ((item: T) => void) | undefined,
): ((item: T) => void) | undefined {
  const navigate = useNavigate();
  return onOpen ?? (link && ((item) => void navigate(link(item))));
}

/** What a cell shows. */
export function shown<T>(item: T, { key, cell, as }: Column<T>): ReactNode {
  if (cell) return cell(item);
  const value = (item as Record<string, ReactNode>)[key] ?? null;
  if (value === null) return null;
  return as ? SHOWN[as](value as never) : value;
}

export function Row<T extends { id: string }>({ item, columns, go, selection }: RowProps<T>) {
  const isSelected = selection?.has(item.id) ?? false;
  return (
    <tr
      data-row={item.id}
      {...(selection && { "aria-selected": isSelected })}
      {...(go && {
        className: styles.linked,
        onClick: (event: MouseEvent<HTMLTableRowElement>) => {
          if (meansRow(event)) go(item);
        },
      })}
    >
      {selection && (
        <td className={styles.select}>
          <SelectOne item={item} selection={selection} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.key}
          data-align={column.align}
          data-from={column.from}
          data-fits={column.fits}
        >
          {shown(item, column)}
        </td>
      ))}
    </tr>
  );
}

type HeadCellProps = {
  column: Pick<
    Column<never>,
    "key" | "label" | "sort" | "align" | "from" | "width" | "isUnlabeled"
  >;
};

/** The label of a column; a click sorts the list by it. */
export function HeadCell({ column }: HeadCellProps) {
  const { key, label, align, from, width, isUnlabeled } = column;
  const field = column.sort === true ? key : column.sort;
  const { sort, setSort } = useListContext();
  const HeadLabel = isUnlabeled ? VisuallyHidden : "span";
  const isSorted = field !== undefined && fieldOf(sort) === field;
  const order = isDescending(sort) ? "descending" : "ascending";
  return (
    <th
      scope="col"
      data-align={align}
      data-from={from}
      {...(width !== undefined && { style: { "--width": `${String(width)}px` } as CSSProperties })}
      {...(isSorted && { "aria-sort": order })}
    >
      {field === undefined ? (
        <HeadLabel>{label}</HeadLabel>
      ) : (
        <button
          type="button"
          className={styles.sort}
          data-order={isSorted ? order : undefined}
          onClick={() => setSort(sortedBy(field, sort))}
        >
          {label}
          <AscendingIcon aria-hidden />
        </button>
      )}
    </th>
  );
}
