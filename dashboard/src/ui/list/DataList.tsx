import Card from "@mui/material/Card";
import type { ReactNode } from "react";
import { ProblemAlert } from "../ProblemAlert";
import { useSelection } from "../table/selection/useSelection";
import { ExportButton } from "./ExportButton";
import styles from "./list.module.css";
import { Pager } from "./Pager";
import { type List, ListContext, useList, useListContext, type ListOptions } from "./useList";
import { SavedViews, SaveView } from "./views/SavedViews";

interface DataListProps extends ListOptions {
  /** Search and filters, above the list. */
  toolbar?: ReactNode;
  /** Its heading, if it is one of several lists of a page; it is left out while it is empty. */
  part?: string;
  /** Whether the API gives all that matches as CSV, too. */
  hasCsv?: boolean;
  /** Shown if there is nothing to list and no filter is set; without it the list shows itself. */
  empty?: ReactNode;
  children: ReactNode;
  /** What can be done with selected items, below the list; without it, none can be selected. */
  bar?: ReactNode;
  /** What an item that can be selected is called. */
  nameOf?: (item: never) => string;
}

const unnamed = () => "";

/** A list of the API in a frame, with its toolbar and pages. */
export function DataList(props: DataListProps) {
  const { toolbar, part, hasCsv = false, empty, children, bar, ...rest } = props;
  const { nameOf = unnamed, ...options } = rest;
  const list = useList<{ id: string }>(options);
  const selection = useSelection<{ id: string }>(JSON.stringify(list.filters), nameOf as never);
  return (
    <ListContext value={{ ...list, ...(bar !== undefined && { selection }) } as List<unknown>}>
      <ListFrame
        toolbar={toolbar}
        {...(part !== undefined && { part })}
        hasCsv={hasCsv}
        empty={empty}
        bar={bar}
      >
        {children}
      </ListFrame>
    </ListContext>
  );
}

type ListFrameProps = Pick<
  DataListProps,
  "toolbar" | "part" | "hasCsv" | "empty" | "children" | "bar"
>;

function ListFrame({ toolbar, part, hasCsv, empty, children, bar }: ListFrameProps) {
  const { error, refetch, total, filters, views } = useListContext();
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  const isEmpty = total === 0 && Object.keys(filters).length === 0;
  if (isEmpty && empty) return <Card>{empty}</Card>;
  if (part !== undefined && (isEmpty || total === undefined)) return null;
  const list = (
    <>
      {(part ?? toolbar ?? (hasCsv || null)) && (
        <div className={styles.toolbar}>
          {part && <h2 className={styles.part}>{part}</h2>}
          {views && <SavedViews />}
          {toolbar}
          {views && <SaveView />}
          {hasCsv && (
            <div className={styles.end}>
              <ExportButton />
            </div>
          )}
        </div>
      )}
      <Card className={styles.frame}>{children}</Card>
      <Pager />
      {bar}
    </>
  );
  return part === undefined ? list : <section aria-label={part}>{list}</section>;
}
