import styles from "./charts.module.css";

const SERIES = 4;

/** The color of a series that means nothing in particular, by its place. */
export const seriesColor = (place: number): string =>
  `var(--series-${String((place % SERIES) + 1)})`;

/** The color of a series, beside its name. */
export const Swatch = ({ color }: { color: string }) => (
  <span aria-hidden className={styles.swatch} style={{ background: color }} />
);
