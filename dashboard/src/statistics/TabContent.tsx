import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import type { ComponentProps, ReactNode } from "react";
import { Problem } from "../api/problem";
import { FigureRow, KeyFigure } from "../ui/KeyFigure";
import { Column } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";
import styles from "./statistics.module.css";

interface TabContentProps {
  asked: { error: unknown; refetch: () => unknown; isPlaceholderData: boolean };
  figures: ComponentProps<typeof KeyFigure>[];
  /** Shown above the figures, for example a switch. */
  before?: ReactNode;
  children: ReactNode;
}

/** The key figures and charts of a tab, or an error. */
export function TabContent({ asked, figures, before, children }: TabContentProps) {
  const { error, refetch, isPlaceholderData } = asked;
  // A missing permission is not an error here.
  if (error instanceof Problem && error.code === "Forbidden")
    return <Alert severity="info">{error.detail}</Alert>;
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  return (
    <Column
      gap="l"
      aria-busy={isPlaceholderData}
      data-stale={isPlaceholderData || undefined}
      className={styles.tab}
    >
      {before && <div>{before}</div>}
      {figures.length > 0 && (
        <FigureRow label={t`Key figures`}>
          {figures.map((figure) => (
            <KeyFigure key={figure.label} {...figure} />
          ))}
        </FigureRow>
      )}
      {children}
    </Column>
  );
}

/** Two charts side by side if there is room. */
export const ChartPair = ({ children }: { children: ReactNode }) => (
  <div className={styles.pair}>{children}</div>
);
