import type { MouseEvent, ReactNode } from "react";
import { useNavigate } from "react-router";
import { SelectOne } from "./selection/SelectOne";
import type { Selection } from "./selection/useSelection";
import type { Column } from "./column";
import styles from "./table.module.css";

interface RowProps<T extends { id: string }> {
  item: T;
  columns: Column<T>[];
  link?: string;
  selection?: Selection<T>;
}

const OWN_CLICK = "a, button, input, label, select, textarea, [role=menuitem]";

/** Whether a click means the row, and not something in it or a text that is being marked. */
const meansRow = (event: MouseEvent<HTMLTableRowElement>): boolean =>
  event.target instanceof Element &&
  // Menus and dialogs of a row are its children for React, but not in the page.
  event.currentTarget.contains(event.target) &&
  event.target.closest(OWN_CLICK) === null &&
  !window.getSelection()?.toString();

const shown = <T,>(item: T, { key, cell }: Column<T>): ReactNode =>
  cell ? cell(item) : ((item as Record<string, ReactNode>)[key] ?? "—");

export function Row<T extends { id: string }>({ item, columns, link, selection }: RowProps<T>) {
  const navigate = useNavigate();
  const isSelected = selection?.has(item.id) ?? false;
  return (
    <tr
      data-row={item.id}
      {...(selection && { "aria-selected": isSelected })}
      {...(link && {
        className: styles.linked,
        onClick: (event: MouseEvent<HTMLTableRowElement>) => {
          if (meansRow(event)) void navigate(link);
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
