import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Skeleton from "@mui/material/Skeleton";
import Tooltip from "@mui/material/Tooltip";
import { useState, type ReactNode } from "react";
import { DownloadIcon } from "../icons";
import { Section } from "../Section";
import styles from "./charts.module.css";
import { saveCsv } from "../csv";
import { FigureTable, type Column } from "./FigureTable";

interface ChartSectionProps<T> {
  title: string;
  subtitle?: ReactNode;
  columns: Column<T>[];
  /** The data; undefined while loading. */
  rows: T[] | undefined;
  /** The data of the file, if that is more than what is shown. */
  saved?: T[];
  /** Text shown instead of an empty chart. */
  empty: string;
  isEmpty?: boolean;
  /** File name without extension. */
  fileName: string;
  /** While it is loading; a table is as high at most. */
  height?: number;
  /** Beside the switch back to the chart. */
  tableActions?: ReactNode;
  children: (rows: T[]) => ReactNode;
}

const CHART_HEIGHT = 280;

/** A chart with a heading, which can also be viewed as a table and downloaded as CSV. */
export function ChartSection<T>(props: ChartSectionProps<T>) {
  const {
    title,
    subtitle,
    columns,
    rows,
    saved = rows,
    empty,
    fileName,
    height = CHART_HEIGHT,
    tableActions,
  } = props;
  const { isEmpty = rows?.length === 0, children } = props;
  const [isTable, setTable] = useState(false);
  const download = () => {
    const head = columns.map((column) => column.label);
    const body = (saved ?? []).map((row) => columns.map((column) => column.value(row)));
    saveCsv(fileName, [head, ...body]);
  };
  return (
    <Section
      title={title}
      subtitle={subtitle}
      fills
      actions={
        !isEmpty && (
          <>
            {isTable && tableActions}
            <Button size="small" disabled={!rows} onClick={() => setTable(!isTable)}>
              {isTable ? t`Show as chart` : t`Show as table`}
            </Button>
            <Tooltip title={t`Download CSV`}>
              <span>
                <IconButton
                  size="small"
                  disabled={!rows}
                  aria-label={t`Download CSV: ${title}`}
                  onClick={download}
                >
                  <DownloadIcon />
                </IconButton>
              </span>
            </Tooltip>
          </>
        )
      }
    >
      <div className={styles.body} aria-busy={!rows}>
        {!rows ? (
          <Skeleton variant="rounded" height={height} />
        ) : isEmpty ? (
          <div className={styles.empty}>
            <p>{empty}</p>
          </div>
        ) : isTable ? (
          <FigureTable label={title} columns={columns} rows={rows} height={height} />
        ) : (
          children(rows)
        )}
      </div>
    </Section>
  );
}
