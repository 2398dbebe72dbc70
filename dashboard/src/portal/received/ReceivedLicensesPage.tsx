import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { CloseIcon, InboxIcon } from "../../ui/icons";
import { Table } from "../../ui/table/Table";
import type { Schemas } from "../../api/types";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { MODEL_LABELS } from "../../ui/labels";
import { Column } from "../../ui/layout/layout";
import { useListContext } from "../../ui/list/useList";
import { Muted } from "../../ui/Muted";
import { StatusChip } from "../../ui/StatusChip";
import { useInstitution } from "../../ui/useInstitution";
import { amountOf, termOf } from "../licenseText";
import { Invitations, ReceivedFrame } from "./ReceivedFrame";

type ReceivedLicense = Schemas["ReceivedLicense"];

/** The licenses that vendors issued to the current institution. */
export default function ReceivedLicensesPage() {
  const { institutionId } = useInstitution();
  return (
    <ReceivedFrame current="">
      {institutionId && (
        <Column key={institutionId} gap="l">
          <Invitations institutionId={institutionId} />
          <LicenseTable institutionId={institutionId} />
        </Column>
      )}
    </ReceivedFrame>
  );
}

/** Which product the list is narrowed to, if it is. */
function ProductFilter() {
  const { filters, items, clearFilters } = useListContext<ReceivedLicense>();
  if (!filters["productId"]) return null;
  const words = t`Product: ${{ product: items?.[0]?.productName ?? "…" }}`;
  return (
    <Button
      variant="outlined"
      size="small"
      endIcon={<CloseIcon />}
      aria-label={t`Remove filter ${words}`}
      onClick={clearFilters}
    >
      {words}
    </Button>
  );
}

const LicenseTable = ({ institutionId }: { institutionId: string }) => (
  <DataList
    path="received-licenses"
    filterNames={["productId"]}
    toolbar={<ProductFilter />}
    fixed={{ institutionId }}
    sort="-createdAt"
    empty={
      <EmptyState icon={<InboxIcon />} title={t`No received licenses`}>
        {t`Licenses appear here when a vendor who uses this service issues them to your institution. The vendor invites the institution first, and an Owner accepts.`}
      </EmptyState>
    }
  >
    <Table<ReceivedLicense>
      label={t`Received licenses`}
      link={({ id }) => `/received-licenses/${id}`}
      columns={[
        {
          key: "licenseName",
          label: t`License`,
          sort: true,
          cell: (license) => (
            <>
              <Typography variant="subtitle2" component="p">
                {license.productName}
              </Typography>
              <Muted>{license.licenseName}</Muted>
            </>
          ),
        },
        {
          key: "Vendor",
          label: t`Vendor`,
          cell: (license) => license.issuer ?? license.institutionName,
        },
        {
          key: "type",
          label: t`Model`,
          short: "plain",
          sort: true,
          cell: ({ type }) => MODEL_LABELS[type],
        },
        {
          key: "Status",
          label: t`Status`,
          short: "beside",
          cell: ({ status }) => <StatusChip status={status} />,
        },
        { key: "expirationDate", label: t`Term`, sort: true, cell: termOf },
        {
          key: "Use",
          label: t({ message: "Use", context: "noun" }),
          cell: amountOf,
        },
      ]}
    />
  </DataList>
);
