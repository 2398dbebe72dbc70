import { t } from "@lingui/core/macro";
import type { License } from "../../api/types";
import type { Selection } from "../../ui/table/selection/useSelection";
import { Table } from "../../ui/table/Table";
import { useColumns } from "./useColumns";

/** The licenses as a table, for large screens. */
export function ListTable({ selection }: { selection: Selection<License> | null }) {
  const { shown } = useColumns();
  return (
    <Table<License>
      label={t`Licenses`}
      columns={shown}
      link={({ id }) => `/licenses/${id}`}
      {...(selection && { selection })}
    />
  );
}
