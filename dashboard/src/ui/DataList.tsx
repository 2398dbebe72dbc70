import Card from "@mui/material/Card";
import { List, Pagination, type ListProps, type RaRecord } from "react-admin";

type DataListProps<T extends RaRecord> = Omit<ListProps<T>, "title" | "actions"> & {
  actions?: ListProps<T>["actions"];
};

/**
 * A paginated list in a card; page, sort order and filters are stored in the URL. Pass an
 * `EmptyState` as `empty`; the surrounding page provides the heading.
 */
export const DataList = <T extends RaRecord>({ actions = false, ...props }: DataListProps<T>) => (
  <List<T>
    title={<></>}
    actions={actions}
    component={Card}
    perPage={25}
    exporter={false}
    pagination={<Pagination rowsPerPageOptions={[10, 25, 50, 100]} />}
    sx={{
      "& .RaList-main": { minWidth: 0 },
      "& .RaList-noActions": { mt: 0 },
      "& .RaList-content": { overflowX: "auto", boxShadow: "none" },
      "& .RaList-actions": { px: 0 },
      "& .RaListToolbar-root": { bgcolor: "transparent" },
    }}
    {...props}
  />
);
