import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { Column } from "./Row";
import styles from "./table.module.css";

interface TwoLinesProps {
  /** What the row is, usually a link. */
  children: ReactNode;
  /** Below it, more quietly; left out if there is nothing to say. */
  second?: ReactNode;
}

/** The cell that names a row, with a second line. */
export const TwoLines = ({ children, second }: TwoLinesProps) => (
  <div className={styles.lines}>
    <span className={styles.first} dir="auto">
      {children}
    </span>
    {second && <span className={styles.second}>{second}</span>}
  </div>
);

interface OpensProps {
  /** Accessible name, where what is shown does not tell the row from others. */
  label?: string;
  onOpen: () => void;
  children: ReactNode;
}

/** What stands for a row that a click on it opens, for the keyboard. */
export const Opens = ({ label, onOpen, children }: OpensProps) => (
  <button type="button" className={styles.opens} aria-label={label} data-opens onClick={onOpen}>
    {children}
  </button>
);

/** The column of the buttons or the menu of each row. */
export const actionsColumn = <T,>(cell: (item: T) => ReactNode): Column<T> => ({
  key: "Actions",
  label: t`Actions`,
  isUnlabeled: true,
  align: "end",
  cell,
});
