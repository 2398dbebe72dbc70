import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { InboxIcon } from "../../ui/icons";
import { Table } from "../../ui/table/Table";
import type { Schemas } from "../../api/types";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { MODEL_LABELS } from "../../ui/labels";
import { Page } from "../../ui/Page";
import { StatusChip } from "../../ui/StatusChip";
import { useInstitution } from "../../ui/useInstitution";
import { amountOf, termOf } from "../licenseText";
import { Invitations } from "./Invitations";

type ReceivedLicense = Schemas["ReceivedLicense"];

const NARROW = { display: { xs: "block", md: "none" } };

/** The licenses that vendors issued to the current institution. */
export default function ReceivedLicensesPage() {
  const { institutionId, institutionName } = useInstitution();
  return (
    <Page
      title="Received licenses"
      help="associations"
      subtitle={institutionName && `Issued to ${institutionName} by its vendors`}
    >
      <Stack sx={{ gap: 2.5 }}>
        <Invitations institutionId={institutionId} />
        {institutionId && <LicenseTable key={institutionId} institutionId={institutionId} />}
      </Stack>
    </Page>
  );
}

const LicenseTable = ({ institutionId }: { institutionId: string }) => (
  <DataList
    path="received-licenses"

    fixed={{ institutionId }}
    sort="-createdAt"
    empty={
      <EmptyState icon={<InboxIcon />} title="No received licenses">
        Licenses appear here when a vendor who uses this service issues them to your institution.
        The vendor invites the institution first, and an Owner accepts.
      </EmptyState>
    }
  >
    <Table<ReceivedLicense>
      label="Received licenses"
      link={({ id }) => `/received-licenses/${id}`}
      columns={[
        {
          key: "licenseName",
          label: "License",
          sort: "licenseName",
          cell: (license) => (
            <>
              <Typography variant="body2" sx={{ fontWeight: 600 }}>
                {license.productName}
              </Typography>
              <Typography variant="body2" color="textSecondary">
                {license.licenseName}
              </Typography>
              <Box sx={NARROW}>
                <Typography variant="body2" color="textSecondary">
                  {termOf(license)}
                </Typography>
              </Box>
            </>
          ),
        },
        {
          key: "Vendor",
          label: "Vendor",
          from: "md",
          cell: (license) => license.issuer ?? license.institutionName,
        },
        {
          key: "type",
          label: "Model",
          sort: "type",
          from: "md",
          cell: ({ type }) => MODEL_LABELS[type],
        },
        { key: "Status", label: "Status", cell: ({ status }) => <StatusChip status={status} /> },
        { key: "expirationDate", label: "Term", sort: "expirationDate", from: "md", cell: termOf },
        { key: "Use", label: "Use", from: "md", cell: (license) => amountOf(license) ?? "—" },
      ]}
    />
  </DataList>
);
