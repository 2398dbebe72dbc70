import { AscendingIcon } from "../icons";
import { fieldOf, isDescending, sortedBy } from "../list/sorting";
import { useListContext } from "../list/useList";
import type { Column } from "./column";
import styles from "./table.module.css";

type HeadCellProps = {
  column: Pick<Column<never>, "label" | "sort" | "align" | "from" | "isUnlabeled">;
};

/** The label of a column; a click sorts the list by it. */
export function HeadCell({ column }: HeadCellProps) {
  const { label, sort: field, align, from, isUnlabeled } = column;
  const { sort, setSort } = useListContext();
  const isSorted = field !== undefined && fieldOf(sort) === field;
  const order = isDescending(sort) ? "descending" : "ascending";
  return (
    <th scope="col" data-align={align} data-from={from} {...(isSorted && { "aria-sort": order })}>
      {field === undefined ? (
        <span className={isUnlabeled ? styles.hidden : undefined}>{label}</span>
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
