import type { License } from "../../api/types";
import { date, dateTime } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import type { Column } from "../../ui/table/column";
import { ExpiryCell, IssuedToCell, NameCell, ProductCell, StatusCell, UseCell } from "./ListCells";

/** The columns of the list, in order; all but the first can be hidden. */
export const COLUMNS: readonly Column<License>[] = [
  {
    key: "licenseName",
    label: "License",
    sort: "licenseName",
    cell: (license) => <NameCell license={license} />,
  },
  {
    key: "productName",
    label: "Product",
    cell: (license) => <ProductCell license={license} />,
  },
  {
    key: "type",
    label: "Model",
    sort: "type",
    fits: true,
    cell: (license) => MODEL_LABELS[license.type],
  },
  { key: "status", label: "Status", cell: (license) => <StatusCell license={license} /> },
  {
    key: "issuedTo",
    label: "Issued to",
    sort: "issuedTo",
    cell: (license) => <IssuedToCell license={license} />,
  },
  {
    key: "seatsUsed",
    label: "Usage",
    fits: true,
    cell: (license) => <UseCell license={license} />,
  },
  {
    key: "expirationDate",
    label: "Expires",
    sort: "expirationDate",
    fits: true,
    cell: (license) => <ExpiryCell license={license} />,
  },
  {
    key: "createdAt",
    label: "Created",
    sort: "createdAt",
    from: "xl",
    fits: true,
    cell: ({ createdAt }) => <span title={dateTime(createdAt)}>{date(createdAt)}</span>,
  },
];
