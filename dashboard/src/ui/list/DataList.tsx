import Card from "@mui/material/Card";
import type { ReactNode } from "react";
import { Muted } from "../Muted";
import { ProblemAlert } from "../ProblemAlert";
import { useSelection } from "../table/selection/useSelection";
import { ExportButton } from "./ExportButton";
import { ActiveFilters } from "./filters/ActiveFilters";
import { AddFilter } from "./filters/AddFilter";
import type { FilterKind } from "./filters/filter";
import { ListCount } from "./ListCount";
import styles from "./list.module.css";
import { Pager } from "./Pager";
import { type List, ListContext, type ListOptions, useList, useListContext } from "./useList";
import type { ListView } from "./views/view";
import { SavedViews } from "./views/SavedViews";

interface DataListProps extends ListOptions {
  /** The search and what else stands above the list. */
  toolbar?: ReactNode;
  /** What the list can be filtered by. */
  kinds?: readonly FilterKind[];
  /** Its heading, if it is one of several lists of a page; it is left out while it is empty. */
  part?: string;
  /** Views that everybody has, if there are more than that of all. */
  builtInViews?: readonly ListView[];
  /** Whether the API gives all that matches as CSV, too. */
  hasCsv?: boolean;
  /** Shown if there is nothing to list and no filter is set; without it the list shows itself. */
  empty?: ReactNode;
  children: ReactNode;
  /** Beside the pages: how long items are kept. */
  note?: string;
  /** What can be done with selected items, below the list; without it, none can be selected. */
  bar?: ReactNode;
  /** What an item that can be selected is called. */
  nameOf?: (item: never) => string;
}

const unnamed = () => "";

/** A list of the API in a frame, with its toolbar and pages. */
export function DataList(props: DataListProps) {
  const { toolbar, kinds = [], part, builtInViews, hasCsv = false, ...others } = props;
  const { empty, children, bar, note, ...rest } = others;
  const { nameOf = unnamed, ...options } = rest;
  const list = useList<{ id: string }>(options);
  const selection = useSelection<{ id: string }>(JSON.stringify(list.filters), nameOf as never);
  return (
    <ListContext value={{ ...list, ...(bar !== undefined && { selection }) } as List<unknown>}>
      <ListFrame
        toolbar={toolbar}
        kinds={kinds}
        {...(part !== undefined && { part })}
        {...(builtInViews && { builtInViews })}
        hasCsv={hasCsv}
        empty={empty}
        bar={bar}
        {...(note !== undefined && { note })}
        isMain={options.inUrl ?? true}
      >
        {children}
      </ListFrame>
    </ListContext>
  );
}

type ListFrameProps = {
  /** Whether the page is about this list. */
  isMain: boolean;
  kinds: readonly FilterKind[];
} & Pick<
  DataListProps,
  "toolbar" | "part" | "builtInViews" | "hasCsv" | "empty" | "children" | "bar" | "note"
>;

function ListFrame(props: ListFrameProps) {
  const { toolbar, kinds, part, builtInViews, hasCsv, empty, children, bar, note, isMain } = props;
  const { error, refetch, total, filters, views } = useListContext();
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  const isEmpty = total === 0 && Object.keys(filters).length === 0;
  if (isEmpty && empty) return <Card>{empty}</Card>;
  if (part !== undefined && (isEmpty || total === undefined)) return null;
  const list = (
    <>
      {(part ?? toolbar ?? (hasCsv || kinds.length > 0 || null)) && (
        <div className={styles.toolbar} data-filters>
          {part && <h2 className={styles.part}>{part}</h2>}
          {views && <SavedViews {...(builtInViews && { builtIn: builtInViews })} />}
          {toolbar}
          {kinds.length > 0 && <AddFilter kinds={kinds} />}
          {hasCsv && (
            <div className={styles.end}>
              <ExportButton />
            </div>
          )}
          <ActiveFilters kinds={kinds} {...(builtInViews && { builtIn: builtInViews })} />
        </div>
      )}
      <Card className={styles.frame}>{children}</Card>
      {note === undefined ? (
        <Pager />
      ) : (
        <div className={styles.below}>
          <Muted>{note}</Muted>
          <Pager />
        </div>
      )}
      {isMain && <ListCount />}
      {bar}
    </>
  );
  if (part === undefined) return list;
  return (
    <section aria-label={part} className={styles.section}>
      {list}
    </section>
  );
}
