import styles from "./charts.module.css";

/** The color of a series, beside its name. */
export const Swatch = ({ color }: { color: string }) => (
  <span aria-hidden className={styles.swatch} style={{ background: color }} />
);
