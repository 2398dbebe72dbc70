import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import type { License } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { date, number } from "../ui/formats";
import { MODEL_LABELS } from "../ui/labels";
import { DataList } from "../ui/list/DataList";
import { StatusChip } from "../ui/StatusChip";
import { Table } from "../ui/table/Table";
import { TwoLines } from "../ui/table/TwoLines";
import type { Customer } from "./customer";

const pathOf = ({ id }: License) => `/licenses/${id}`;

/** The licenses of the customer. */
export const CustomerLicenses = ({ customer }: { customer: Customer }) => (
  <DataList path="licenses" fixed={{ customerId: customer.id }} sort="-createdAt">
    <Table<License>
      label={t`Licenses`}
      link={pathOf}
      none={
        <EmptyState title={t`No licenses`}>
          {t`Licenses that are issued to ${{ email: customer.email }} appear here.`}
        </EmptyState>
      }
      columns={[
        {
          key: "licenseName",
          label: t`License`,
          sort: "licenseName",
          cell: (license) => (
            <TwoLines second={license.productName}>
              <Link component={RouterLink} to={pathOf(license)} dir="auto">
                {license.licenseName}
              </Link>
            </TwoLines>
          ),
        },
        { key: "type", label: t`Model`, sort: "type", cell: ({ type }) => MODEL_LABELS[type] },
        { key: "status", label: t`Status`, cell: ({ status }) => <StatusChip status={status} /> },
        {
          key: "meterBalance",
          label: t`Balance`,
          align: "end",
          from: "md",
          cell: ({ meterBalance }) => (meterBalance === null ? "—" : number(meterBalance)),
        },
        {
          key: "expirationDate",
          label: t`Expires`,
          sort: "expirationDate",
          from: "md",
          cell: ({ expirationDate }) => (expirationDate ? date(expirationDate) : t`Never`),
        },
      ]}
    />
  </DataList>
);
