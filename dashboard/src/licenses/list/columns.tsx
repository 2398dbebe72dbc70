import { t } from "@lingui/core/macro";
import type { License } from "../../api/types";
import { date, dateTime } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import type { Column } from "../../ui/table/column";
import { ExpiryCell, IssuedToCell, NameCell, ProductCell, StatusCell, UseCell } from "./ListCells";

/** The columns of the list, in order; all but the first can be hidden. */
export const COLUMNS: readonly Column<License>[] = [
  {
    key: "licenseName",
    label: t`License`,
    sort: "licenseName",
    cell: (license) => <NameCell license={license} />,
  },
  {
    key: "productName",
    label: t`Product`,
    cell: (license) => <ProductCell license={license} />,
  },
  {
    key: "type",
    label: t`Model`,
    sort: "type",
    fits: true,
    cell: (license) => MODEL_LABELS[license.type],
  },
  { key: "status", label: t`Status`, cell: (license) => <StatusCell license={license} /> },
  {
    key: "issuedTo",
    label: t`Issued to`,
    sort: "issuedTo",
    cell: (license) => <IssuedToCell license={license} />,
  },
  {
    key: "seatsUsed",
    label: t`Usage`,
    fits: true,
    cell: (license) => <UseCell license={license} />,
  },
  {
    key: "expirationDate",
    label: t`Expires`,
    sort: "expirationDate",
    fits: true,
    cell: (license) => <ExpiryCell license={license} />,
  },
  {
    key: "createdAt",
    label: t`Created`,
    sort: "createdAt",
    from: "xl",
    fits: true,
    cell: ({ createdAt }) => <span title={dateTime(createdAt)}>{date(createdAt)}</span>,
  },
];
