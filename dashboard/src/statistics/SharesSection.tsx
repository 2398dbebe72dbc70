import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { Suspense } from "react";
import { ChartSection } from "../ui/charts/ChartSection";
import { seriesColor, Swatch } from "../ui/charts/series";
import { number, percent } from "../ui/formats";
import { Ranking } from "../ui/charts/Ranking";
import { Column, Fill, Row } from "../ui/layout/layout";
import { lazy } from "../ui/lazy";
import { PageLink } from "../ui/PageLink";
import styles from "./statistics.module.css";

const Donut = lazy(() => import("../ui/charts/Donut"));
const SIZE = 200;
/** From here on, a ring is one color and says nothing. */
const ONE_SIDED = 0.95;

export interface Share {
  label: string;
  value: number;
  to?: string;
  /** The color of what it means; else one of the series. */
  color?: string;
}

interface SharesSectionProps {
  title: string;
  /** Table header of the counted items. */
  head: string;
  shares: Share[] | undefined;
  empty: string;
  name: string;
}

/** A section with a donut chart and its legend. */
export function SharesSection({ title, head, shares, empty, name }: SharesSectionProps) {
  const total = shares?.reduce((sum, share) => sum + share.value, 0) ?? 0;
  const isNearlyOne = shares?.some((share) => share.value > ONE_SIDED * total) ?? false;
  const part = (share: Share) => (total ? share.value / total : 0);
  return (
    <ChartSection
      title={title}
      columns={[
        { label: head, value: (share) => share.label },
        { label: t`Number`, value: (share) => share.value, isFigure: true },
        {
          label: t({ message: "Share", context: "part" }),
          value: (share) => Math.round(part(share) * 1000) / 1000,
          show: (share) => percent(part(share)),
          isFigure: true,
        },
      ]}
      rows={shares}
      isEmpty={shares !== undefined && total === 0}
      empty={empty}
      fileName={name}
      height={SIZE + 16}
    >
      {(all) => {
        const rows = all.filter((row) => row.value > 0);
        if (isNearlyOne)
          return (
            <Ranking
              ranks={rows.map((row) => ({ ...row, key: row.label, note: percent(part(row)) }))}
            />
          );
        return (
          <div className={styles.shares}>
            <div
              role="img"
              aria-label={`${title}: ${rows.map((row) => `${row.label} ${number(row.value)}`).join(", ")}.`}
              className={styles.donut}
            >
              <Suspense fallback={<Skeleton variant="circular" width={SIZE} height={SIZE} />}>
                <Donut parts={rows} size={SIZE} />
              </Suspense>
            </div>
            <Column as="ul" className={styles.legend}>
              {rows.map((row, place) => (
                <Row key={row.label} as="li" gap="s">
                  <Swatch color={row.color ?? seriesColor(place)} />
                  <Fill as="span">
                    {row.to ? (
                      <PageLink to={row.to} underline="hover">
                        {row.label}
                      </PageLink>
                    ) : (
                      row.label
                    )}
                  </Fill>
                  <strong>{number(row.value)}</strong>
                  <span className={styles.part}>{percent(part(row))}</span>
                </Row>
              ))}
            </Column>
          </div>
        );
      }}
    </ChartSection>
  );
}
