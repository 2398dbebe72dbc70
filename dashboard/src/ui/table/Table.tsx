import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import type { CSSProperties, ReactNode } from "react";
import { useLocation } from "react-router";
import { useListContext } from "../list/useList";
import { useHasRoom } from "../useMediaQuery";
import { type Column, HeadCell, Row, useGo } from "./Row";
import { SelectAll, type Selection } from "./selection/useSelection";
import { ShortRows } from "./ShortRows";
import styles from "./table.module.css";
import { useRowKeys } from "./rows";
import { rememberWay } from "./wayOn";

interface Item {
  id: string;
}

interface TableProps<T extends Item> {
  /** What is listed: "Products". */
  label: string;
  /** The columns; `false` leaves one out. The first names the row. */
  columns: readonly (Column<T> | false)[];
  /** Where a click on a row leads. */
  link?: (item: T) => string;
  /** What a click on a row does, where it leads nowhere; for the keyboard a cell has `Opens`. */
  onOpen?: (item: T) => void;
  /** Shown if no item fits the filters. */
  none?: ReactNode;
  selection?: Selection<T>;
}

/** At most so many rows stand in for those that are loading. */
const PLACEHOLDERS = 8;

/** How wide a column without a width is at least; a table that has no room for that scrolls. */
const LEAST = 120;

/** The items of the surrounding list as a table with rows of 44 px, or below each other where it has no room. */
export function Table<T extends Item>(props: TableProps<T>) {
  const { label, link, onOpen, none = t`Nothing matches these filters.`, selection } = props;
  const go = useGo(link, onOpen);
  const list = useLocation();
  const { items, isStale, pageSize } = useListContext<T>();
  const isFilled = (key: string) =>
    items?.some((item) => {
      const value = (item as unknown as Record<string, unknown>)[key];
      return Array.isArray(value) ? value.length > 0 : value !== null;
    });
  const columns = props.columns.filter(
    (column) => column !== false && (!column.isRare || isFilled(column.key)),
  ) as Column<T>[];
  const least = columns.reduce((sum, { width }) => sum + (width ?? LEAST), 0);
  const keys = useRowKeys(items ?? [], selection);
  const hasRoom = useHasRoom();
  const placeholders = Math.min(pageSize, PLACEHOLDERS);
  const opening = link && { onClickCapture: () => rememberWay(list, (items ?? []).map(link)) };
  if (items?.length === 0)
    return typeof none === "string" ? <p className={styles.none}>{none}</p> : none;
  if (!hasRoom)
    return (
      <ShortRows
        label={label}
        columns={columns}
        go={go}
        opening={opening}
        selection={selection}
        placeholders={placeholders}
      />
    );
  return (
    <table
      className={styles.table}
      aria-label={label}
      aria-busy={!items || isStale}
      data-stale={isStale || undefined}
      data-fixed={columns.some(({ width }) => width !== undefined) || undefined}
      style={{ "--least": `${String(least)}px` } as CSSProperties}
      onKeyDown={keys}
      {...opening}
    >
      <thead>
        <tr>
          {selection && (
            <th scope="col" className={styles.select}>
              <SelectAll items={items ?? []} selection={selection} />
            </th>
          )}
          {columns.map((column) => (
            <HeadCell key={column.key} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {items?.map((item) => (
          <Row
            key={item.id}
            item={item}
            columns={columns}
            go={go}
            {...(selection && { selection })}
          />
        )) ??
          Array.from({ length: placeholders }, (_, place) => (
            <tr key={place}>
              {selection && <td />}
              {columns.map((column) => (
                <td key={column.key} data-from={column.from}>
                  <Skeleton />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  );
}
