import type { ReactNode } from "react";
import styles from "./itemList.module.css";

interface ItemListProps {
  /** What is listed: "Rules". */
  label: string;
  children: ReactNode;
}

/** A short list that needs no columns: rows between hairlines. */
export const ItemList = ({ label, children }: ItemListProps) => (
  <ul aria-label={label} className={styles.list}>
    {children}
  </ul>
);

interface ItemProps {
  /** What the row is, usually a link. */
  title: ReactNode;
  /** Below it, more quietly. */
  detail?: ReactNode;
  /** At the end of the row: a status, or what can be done. */
  end?: ReactNode;
}

/** A row of an `ItemList`. */
export const Item = ({ title, detail, end }: ItemProps) => (
  <li className={styles.item}>
    <div className={styles.text}>
      <div className={styles.title} dir="auto">
        {title}
      </div>
      {detail && <div className={styles.detail}>{detail}</div>}
    </div>
    {end && <div className={styles.end}>{end}</div>}
  </li>
);
