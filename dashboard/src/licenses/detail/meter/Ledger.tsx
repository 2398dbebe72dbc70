import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DownloadIcon } from "../../../ui/icons";
import { Table } from "../../../ui/table/Table";
import { download } from "../../../api/client";
import { asProblem } from "../../../api/problem";
import type { License, Schemas } from "../../../api/types";
import { notify } from "../../../ui/toasts/toasts";
import { DataList } from "../../../ui/list/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { dateTime, number, signed } from "../../../ui/formats";

type Entry = Schemas["LedgerEntry"];

const REFRESH_MS = 15_000;
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
    <DataList
      path={`licenses/${license.id}/ledger`}

      sort="-createdAt"
      refetchInterval={REFRESH_MS}
    >
      <Table<Entry>
        label="Ledger"
        none={
          <EmptyState title="No ledger entries yet">
            Grants, usage and adjustments appear here.
          </EmptyState>
        }
        columns={[
          {
            key: "createdAt",
            label: "Date",
            sort: "createdAt",
            cell: (entry: Entry) => dateTime(entry.createdAt),
          },
          { key: "type", label: "Type", cell: (entry: Entry) => <What entry={entry} /> },
          {
            key: "reason",
            label: "Reason and reference",
            from: "md",
            cell: (entry: Entry) => <Why entry={entry} />,
          },
          {
            key: "amount",
            label: "Amount",
            align: "end",
            cell: (entry: Entry) => <Amount entry={entry} />,
          },
          {
            key: "balanceAfter",
            label: "Balance",
            align: "end",
            cell: (entry: Entry) => number(entry.balanceAfter),
          },
        ]}
      />
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
