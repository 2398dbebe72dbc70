import DownloadIcon from "@mui/icons-material/Download";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DataTable, useNotify } from "react-admin";
import { download } from "../../../api/client";
import { asProblem } from "../../../api/problem";
import type { License, Schemas } from "../../../api/types";
import { DataList } from "../../../ui/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { dateTime, number, signed } from "../../../ui/formats";

type Entry = Schemas["LedgerEntry"];

const REFRESH_MS = 15_000;
const WIDE = { display: { xs: "none", md: "table-cell" } };
const NARROW = { display: { xs: "block", md: "none" } };

const TYPE_WORDS: Record<Schemas["LedgerEntryType"], string> = {
  InitialGrant: "Initial balance",
  Consume: "Usage",
  AdminGrant: "Grant",
  Adjust: "Adjustment",
};

/** All ledger entries of the license, newest first. */
export const Ledger = ({ license }: { license: License }) => (
  <Box component="section" aria-label="Ledger">
    <LedgerHeading license={license} />
    <DataList<Entry>
      resource={`licenses/${license.id}/ledger`}
      storeKey={false}
      sort={{ field: "createdAt", order: "DESC" }}
      queryOptions={{ refetchInterval: REFRESH_MS }}
      empty={false}
    >
      <DataTable<Entry>
        bulkActionButtons={false}
        rowClick={false}
        empty={
          <EmptyState title="No ledger entries yet">
            Grants, usage and adjustments appear here.
          </EmptyState>
        }
      >
        <DataTable.Col
          source="createdAt"
          label="Date"
          render={(entry: Entry) => dateTime(entry.createdAt)}
        />
        <DataTable.Col
          source="type"
          label="Type"
          disableSort
          render={(entry: Entry) => <What entry={entry} />}
        />
        <DataTable.Col
          source="reason"
          label="Reason and reference"
          disableSort
          sx={WIDE}
          render={(entry: Entry) => <Why entry={entry} />}
        />
        <DataTable.Col
          source="amount"
          label="Amount"
          align="right"
          disableSort
          render={(entry: Entry) => <Amount entry={entry} />}
        />
        <DataTable.Col
          source="balanceAfter"
          label="Balance"
          align="right"
          disableSort
          render={(entry: Entry) => number(entry.balanceAfter)}
        />
      </DataTable>
    </DataList>
  </Box>
);

const What = ({ entry }: { entry: Entry }) => (
  <>
    {TYPE_WORDS[entry.type]}
    {entry.featureName !== null && (
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        {entry.featureName}
        {entry.quantity !== null && ` · ${number(entry.quantity)}×`}
        {entry.unitPrice !== null && ` at ${number(entry.unitPrice)}`}
      </Typography>
    )}
    <Box sx={NARROW}>
      <Why entry={entry} />
    </Box>
  </>
);

const Why = ({ entry }: { entry: Entry }) => (
  <Box sx={{ overflowWrap: "anywhere", maxWidth: 360 }}>
    {entry.reason}
    {entry.externalReference && (
      <Typography variant="body2" color="textSecondary">
        {entry.externalReference}
      </Typography>
    )}
  </Box>
);

const Amount = ({ entry }: { entry: Entry }) => (
  <Typography
    component="span"
    sx={{ fontVariantNumeric: "tabular-nums", fontWeight: 600, whiteSpace: "nowrap" }}
    color={entry.amount > 0 ? "success" : "textPrimary"}
  >
    {signed(entry.amount)}
  </Typography>
);

function LedgerHeading({ license }: { license: License }) {
  const [busy, setBusy] = useState(false);
  const notify = useNotify();
  const fetchCsv = async () => {
    setBusy(true);
    try {
      await download(`/api/licenses/${license.id}/ledger`, "text/csv");
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return (
    <Stack direction="row" sx={{ alignItems: "center", mb: 1 }}>
      <Typography variant="h6" component="h2" sx={{ flex: 1 }}>
        Ledger
      </Typography>
      <Button startIcon={<DownloadIcon />} loading={busy} onClick={() => void fetchCsv()}>
        Download CSV
      </Button>
    </Stack>
  );
}
