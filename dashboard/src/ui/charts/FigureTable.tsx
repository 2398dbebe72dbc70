import { t } from "@lingui/core/macro";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableContainer from "@mui/material/TableContainer";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import type { ReactNode } from "react";
import { number } from "../formats";
import styles from "./charts.module.css";
import type { Cell } from "../csv";

export interface Column<T> {
  label: string;
  /** The value as written to CSV. */
  value: (row: T) => Cell;
  /** The value as displayed, if different. */
  show?: (row: T) => ReactNode;
  /** Figures are right-aligned. */
  isFigure?: boolean;
}

interface FigureTableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  /** At most; what is more is scrolled to. */
  height?: number;
  /** Figures stand below each other in several tables of the page, whatever they hold. */
  isEven?: boolean;
}

function shown<T>({ value, show }: Column<T>, row: T): ReactNode {
  if (show) return show(row);
  const cell = value(row);
  return cell === null ? "—" : typeof cell === "number" ? number(cell) : cell;
}

/** The data of a chart as a table. The first column is the row header. */
export const FigureTable = <T,>({
  label,
  columns,
  rows,
  height,
  isEven = false,
}: FigureTableProps<T>) => (
  <TableContainer
    tabIndex={0}
    role="region"
    aria-label={t`${label}, table`}
    className={styles.table}
    style={{ maxHeight: height }}
  >
    <Table size="small" stickyHeader {...(isEven && { className: styles.even })}>
      <TableHead>
        <TableRow>
          {columns.map((column) => (
            <TableCell key={column.label} align={column.isFigure ? "right" : "left"}>
              {column.label}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map((row, place) => (
          <TableRow key={place}>
            {columns.map((column, at) => (
              <TableCell
                key={column.label}
                align={column.isFigure ? "right" : "left"}
                {...(at === 0 && { component: "th", scope: "row" })}
              >
                {shown(column, row)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </TableContainer>
);
