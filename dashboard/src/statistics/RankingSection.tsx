import { ChartSection } from "../ui/charts/ChartSection";
import type { Column } from "../ui/charts/FigureTable";
import { Ranking, type Rank } from "../ui/charts/Ranking";
import { PageLink } from "../ui/PageLink";
import styles from "./statistics.module.css";

interface RankingSectionProps {
  title: string;
  subtitle?: string;
  /** Table headers: the ranked item, the figure and an optional note. */
  heads: readonly [what: string, figure: string, note?: string];
  ranks: Rank[] | undefined;
  empty: string;
  name: string;
  color?: number;
  /** Height in pixels, if it does not have to match the section next to it. */
  height?: number;
}

/** A section with a ranking, largest first. */
export function RankingSection(props: RankingSectionProps) {
  const { title, subtitle, heads, ranks, empty, name, color, height = 200 } = props;
  const [what, figure, note] = heads;
  const columns: Column<Rank>[] = [
    {
      label: what,
      value: (rank) => rank.label,
      show: ({ to, label }) =>
        to ? (
          <PageLink to={to} underline="hover">
            {label}
          </PageLink>
        ) : (
          label
        ),
    },
    { label: figure, value: (rank) => rank.value, isFigure: true },
    ...(note ? [{ label: note, value: (rank: Rank) => rank.of ?? rank.note ?? null }] : []),
  ];
  return (
    <ChartSection
      title={title}
      subtitle={subtitle}
      columns={columns}
      rows={ranks}
      empty={empty}
      fileName={name}
      height={height}
    >
      {(rows) => (
        <div className={styles.ranking}>
          <Ranking ranks={rows} {...(color !== undefined && { color })} />
        </div>
      )}
    </ChartSection>
  );
}
