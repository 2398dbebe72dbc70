import { number } from "../formats";
import { Column, Row } from "../layout/layout";
import { PageLink } from "../PageLink";
import styles from "./charts.module.css";
import { seriesColor } from "./series";

export interface Rank {
  key: string;
  label: string;
  value: number;
  to?: string;
  /** What a whole bar stands for, if each has a whole of its own; else the largest value. */
  whole?: number;
  /** Goes on from the figure: "of 20". */
  of?: string;
  /** Shown after it. */
  note?: string;
}

const shareOf = ({ value, whole }: Rank, top: number) =>
  Math.min(1, Math.max(0, value) / Math.max(whole ?? top, 1e-9));

/** A ranked list with a bar per item. */
export function Ranking({ ranks, color = 0 }: { ranks: Rank[]; color?: number }) {
  const top = Math.max(1e-9, ...ranks.map((rank) => rank.value));
  return (
    <Column as="ol" gap="m">
      {ranks.map((rank) => (
        <li key={rank.key}>
          <Row gap="l" place="apart" className={styles.rank}>
            <span className={styles.rankName} title={rank.label}>
              {rank.to ? (
                <PageLink to={rank.to} underline="hover">
                  {rank.label}
                </PageLink>
              ) : (
                rank.label
              )}
            </span>
            <span className={styles.figure}>
              <strong>{number(rank.value)}</strong>
              <span className={styles.note}>
                {rank.of && ` ${rank.of}`}
                {rank.note && ` · ${rank.note}`}
              </span>
            </span>
          </Row>
          <div aria-hidden className={styles.track}>
            <div
              style={{
                minWidth: rank.value > 0 ? 4 : 0,
                width: `${String(shareOf(rank, top) * 100)}%`,
                background: seriesColor(color),
              }}
            />
          </div>
        </li>
      ))}
    </Column>
  );
}
