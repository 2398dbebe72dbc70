import Card from "@mui/material/Card";
import type { ReactNode } from "react";
import { ProblemAlert } from "../ProblemAlert";
import styles from "./list.module.css";
import { Pager } from "./Pager";
import { ListContext, useList, useListContext, type ListOptions } from "./useList";

interface DataListProps extends ListOptions {
  /** Search and filters, above the list. */
  toolbar?: ReactNode;
  /** Shown if there is nothing to list and no filter is set; without it the list shows itself. */
  empty?: ReactNode;
  children: ReactNode;
}

/** A list of the API in a frame, with its toolbar and pages. */
export function DataList({ toolbar, empty, children, ...options }: DataListProps) {
  const list = useList<unknown>(options);
  return (
    <ListContext value={list}>
      <ListFrame toolbar={toolbar} empty={empty}>
        {children}
      </ListFrame>
    </ListContext>
  );
}

type ListFrameProps = Pick<DataListProps, "toolbar" | "empty" | "children">;

function ListFrame({ toolbar, empty, children }: ListFrameProps) {
  const { error, refetch, total, filters } = useListContext();
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  if (empty && total === 0 && Object.keys(filters).length === 0) return <Card>{empty}</Card>;
  return (
    <>
      {toolbar && <div className={styles.toolbar}>{toolbar}</div>}
      <Card className={styles.frame}>{children}</Card>
      <Pager />
    </>
  );
}
