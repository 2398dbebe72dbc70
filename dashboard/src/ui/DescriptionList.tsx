import type { ReactNode } from "react";
import styles from "./descriptionList.module.css";

/** A description list in as many columns as fit. */
export const DescriptionList = ({
  facts,
}: {
  facts: (readonly [name: string, value: ReactNode])[];
}) => (
  <dl className={styles.list}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? "—"}</dd>
      </div>
    ))}
  </dl>
);
