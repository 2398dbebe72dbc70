import Skeleton from "@mui/material/Skeleton";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { useListContext } from "../list/useList";
import { type Column, meansRow, shown } from "./Row";
import { type Selection, SelectOne } from "./selection/useSelection";
import styles from "./table.module.css";
import { useRowKeys } from "./rows";

interface ShortRowsProps<T extends { id: string }> {
  /** What is listed: "Products". */
  label: string;
  columns: readonly Column<T>[];
  /** What a click on a row does, if anything. */
  go: ((item: T) => void) | undefined;
  /** What else is done when a row is opened. */
  opening: Pick<ComponentProps<"ul">, "onClickCapture"> | undefined;
  selection?: Selection<T> | undefined;
  placeholders: number;
}

/** The items of the surrounding list below each other, where a table has no room. */
export function ShortRows<T extends { id: string }>(props: ShortRowsProps<T>) {
  const { label, columns, go, opening, selection, placeholders } = props;
  const { items, isStale } = useListContext<T>();
  const keys = useRowKeys(items ?? [], selection);
  const parts = partsOf(columns);
  return (
    <ul
      className={styles.short}
      aria-label={label}
      aria-busy={!items || isStale}
      data-stale={isStale || undefined}
      onKeyDown={keys}
      {...opening}
    >
      {items?.map((item) => (
        <ShortRow key={item.id} item={item} parts={parts} go={go} selection={selection} />
      )) ??
        Array.from({ length: placeholders }, (_, place) => (
          <li key={place}>
            <Skeleton height={44} className={styles.shortMain} />
          </li>
        ))}
    </ul>
  );
}

interface Parts<T> {
  /** Names the row. */
  name: Column<T> | undefined;
  beside: Column<T>[];
  facts: Column<T>[];
  /** Buttons, or the menu. */
  acts: Column<T>[];
}

function partsOf<T>(columns: readonly Column<T>[]): Parts<T> {
  const name = columns.find(({ short }) => short === "name") ?? columns[0];
  const placeOf = (column: Column<T>): Column<T>["short"] | "act" => {
    if (column === name) return "name";
    if (column.short) return column.short;
    if (column.as === "status") return "beside";
    return column.isUnlabeled ? "act" : undefined;
  };
  const at = (place: ReturnType<typeof placeOf>) =>
    columns.filter((column) => placeOf(column) === place);
  return {
    name,
    beside: at("beside"),
    facts: [
      ...at("first"),
      ...columns.filter((column) => [undefined, "plain"].includes(placeOf(column))),
    ],
    acts: at("act"),
  };
}

interface ShortRowProps<T extends { id: string }> {
  item: T;
  parts: Parts<T>;
  go: ((item: T) => void) | undefined;
  selection: Selection<T> | undefined;
}

function ShortRow<T extends { id: string }>({ item, parts, go, selection }: ShortRowProps<T>) {
  const told = (columns: Column<T>[]) =>
    columns.flatMap((column) => {
      const value = shown(item, column);
      return isNothing(value) ? [] : [[column, value] as const];
    });
  const beside = told(parts.beside);
  const facts = told(parts.facts);
  const acts = told(parts.acts);
  return (
    <li
      data-row={item.id}
      {...(selection && { "data-selected": selection.has(item.id) || undefined })}
      {...(go && {
        className: styles.linked,
        onClick: (event: MouseEvent<HTMLLIElement>) => {
          if (meansRow(event)) go(item);
        },
      })}
    >
      {selection && <SelectOne item={item} selection={selection} />}
      <div className={styles.shortMain}>
        <div className={styles.shortHead}>
          <div className={styles.shortName}>{parts.name && shown(item, parts.name)}</div>
          {beside.map(([{ key }, value]) => (
            <div key={key} className={styles.beside}>
              {value}
            </div>
          ))}
        </div>
        {facts.length > 0 && (
          <div className={styles.facts}>
            {facts.map(([{ key, label, short }, value]) => (
              <div key={key}>
                {short === undefined && <span>{label}</span>}
                {value}
              </div>
            ))}
          </div>
        )}
      </div>
      {acts.map(([{ key }, value]) => (
        <div key={key}>{value}</div>
      ))}
    </li>
  );
}

/** Whether a cell says nothing, which a table needs a place for and a line does not. */
const isNothing = (value: ReactNode) =>
  value === null || value === undefined || value === false || value === "" || value === "—";
