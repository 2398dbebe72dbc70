import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DownloadIcon } from "../../../ui/icons";
import { Table } from "../../../ui/table/Table";
import { download } from "../../../api/client";
import { asProblem } from "../../../api/problem";
import type { License, Schemas } from "../../../api/types";
import { notify } from "../../../ui/toasts/toasts";
import { DataList } from "../../../ui/list/DataList";
import { Row } from "../../../ui/layout/layout";
import { EmptyState } from "../../../ui/EmptyState";
import { number, signed } from "../../../ui/formats";
import { Muted } from "../../../ui/Muted";
import styles from "../detail.module.css";
import ledger from "./ledger.module.css";

type Entry = Schemas["LedgerEntry"];

const REFRESH_MS = 15_000;

const TYPE_WORDS: Record<Schemas["LedgerEntryType"], string> = {
  InitialGrant: t`Initial balance`,
  Consume: t`Usage`,
  AdminGrant: t({ message: "Grant", context: "ledger entry" }),
  Adjust: t`Adjustment`,
};

/** All ledger entries of the license, newest first. */
export const Ledger = ({ license }: { license: License }) => (
  <section aria-label={t`Ledger`}>
    <LedgerHeading license={license} />
    <DataList path={`licenses/${license.id}/ledger`} sort="-createdAt" refetchInterval={REFRESH_MS}>
      <Table<Entry>
        label={t`Ledger`}
        none={
          <EmptyState title={t`No ledger entries yet`}>
            {t`Grants, usage and adjustments appear here.`}
          </EmptyState>
        }
        columns={[
          { key: "createdAt", label: t`Date`, sort: true, as: "dateTime" },
          { key: "type", label: t`Type`, cell: (entry: Entry) => <What entry={entry} /> },
          {
            key: "reason",
            label: t`Reason and reference`,
            from: "md",
            cell: (entry: Entry) => <Why entry={entry} />,
          },
          {
            key: "amount",
            label: t`Amount`,
            align: "end",
            cell: (entry: Entry) => <Amount entry={entry} />,
          },
          { key: "balanceAfter", label: t`Balance`, align: "end", as: "number" },
        ]}
      />
    </DataList>
  </section>
);

/** What was used, how often and at which price: "export · 3× at 2". */
function usageOf(feature: string, { quantity, unitPrice }: Entry): string {
  const count = quantity === null ? null : number(quantity);
  const price = unitPrice === null ? null : number(unitPrice);
  if (count !== null && price !== null) return t`${feature} · ${count}× at ${price}`;
  if (price !== null) return t`${feature} at ${price}`;
  return count === null ? feature : `${feature} · ${count}×`;
}

const What = ({ entry }: { entry: Entry }) => (
  <>
    {TYPE_WORDS[entry.type]}
    {entry.featureName !== null && (
      <Muted className={styles.inCell}>{usageOf(entry.featureName, entry)}</Muted>
    )}
    <div className={styles.untilMd}>
      <Why entry={entry} />
    </div>
  </>
);

const Why = ({ entry }: { entry: Entry }) => (
  <div className={ledger.why}>
    {entry.reason}
    {entry.externalReference && <Muted>{entry.externalReference}</Muted>}
  </div>
);

const Amount = ({ entry }: { entry: Entry }) => (
  <Typography
    variant="subtitle2"
    component="span"
    className={ledger.amount}
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
    <Row gap="s" place="apart" className={ledger.heading}>
      <Typography variant="h6" component="h2">
        {t`Ledger`}
      </Typography>
      <Button startIcon={<DownloadIcon />} loading={busy} onClick={() => void fetchCsv()}>
        {t`Download CSV`}
      </Button>
    </Row>
  );
}
