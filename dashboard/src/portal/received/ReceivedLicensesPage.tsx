import InboxIcon from "@mui/icons-material/MoveToInboxOutlined";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { DataTable } from "react-admin";
import type { Schemas } from "../../api/types";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { MODEL_LABELS } from "../../ui/labels";
import { Page } from "../../ui/Page";
import { StatusChip } from "../../ui/StatusChip";
import { useInstitution } from "../../ui/useInstitution";
import { amountOf, termOf } from "../licenseText";
import { Invitations } from "./Invitations";

type ReceivedLicense = Schemas["ReceivedLicense"];

const WIDE = { display: { xs: "none", md: "table-cell" } };
const NARROW = { display: { xs: "block", md: "none" } };
const Column = DataTable.Col<ReceivedLicense>;

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
  <DataList<ReceivedLicense>
    resource="received-licenses"
    storeKey={false}
    filter={{ institutionId }}
    sort={{ field: "createdAt", order: "DESC" }}
    empty={
      <EmptyState
        icon={<InboxIcon color="disabled" fontSize="large" />}
        title="No received licenses"
      >
        Licenses appear here when a vendor who uses this service issues them to your institution.
        The vendor invites the institution first, and an Owner accepts.
      </EmptyState>
    }
  >
    <DataTable<ReceivedLicense>
      bulkActionButtons={false}
      rowClick={(id) => `/received-licenses/${String(id)}`}
    >
      <Column
        source="licenseName"
        label="License"
        sx={{ minWidth: 150, overflowWrap: "anywhere" }}
        render={(license) => (
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
        )}
      />
      <Column
        label="Vendor"
        disableSort
        sx={WIDE}
        render={(license) => license.issuer ?? license.institutionName}
      />
      <Column source="type" label="Model" sx={WIDE} render={({ type }) => MODEL_LABELS[type]} />
      <Column label="Status" disableSort render={({ status }) => <StatusChip status={status} />} />
      <Column source="expirationDate" label="Term" sx={WIDE} render={termOf} />
      <Column label="Use" disableSort sx={WIDE} render={(license) => amountOf(license) ?? "—"} />
    </DataTable>
  </DataList>
);
