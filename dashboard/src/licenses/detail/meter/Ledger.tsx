import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { $api } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { DataList } from "../../../ui/list/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { number, signed } from "../../../ui/formats";
import { Muted } from "../../../ui/Muted";
import { Table } from "../../../ui/table/Table";
import { useCan } from "../../../ui/useInstitution";
import styles from "../detail.module.css";
import { nameOf } from "../../../ui/devices/deviceActions";
import ledger from "./ledger.module.css";

type Entry = Schemas["LedgerEntry"];

const REFRESH_MS = 15_000;

const TYPE_WORDS: Record<Schemas["LedgerEntryType"], string> = {
  InitialGrant: t`Initial balance`,
  Consume: t`Usage`,
  AdminGrant: t({ message: "Grant", context: "ledger entry" }),
  Adjust: t`Adjustment`,
  LeaseHold: t`Reserved by a device`,
  LeaseSettle: t`Reservation settled`,
  LeaseCharge: t`Unreported rest charged`,
};

interface LedgerProps {
  license: License;
  /** Above the list, beside its export. */
  heading?: ReactNode;
}

/** All ledger entries of the license, newest first. */
export const Ledger = ({ license, heading }: LedgerProps) => (
  <section aria-label={t`Ledger`}>
    <DataList
      path={`licenses/${license.id}/ledger`}
      sort="-createdAt"
      refetchInterval={REFRESH_MS}
      hasCsv
      toolbar={heading}
    >
      <Table<Entry>
        label={t`Ledger`}
        none={
          <EmptyState title={t`No ledger entries yet`}>
            {t`Grants, usage and adjustments appear here.`}
          </EmptyState>
        }
        columns={[
          { key: "createdAt", label: t`Date`, sort: true, short: "plain", as: "dateTime" },
          {
            key: "type",
            label: t`Type`,
            short: "name",
            cell: (entry: Entry) => <What entry={entry} license={license} />,
          },
          {
            key: "reason",
            label: t`Reason and reference`,
            short: "plain",
            cell: (entry: Entry) => <Why entry={entry} />,
          },
          {
            key: "amount",
            label: t`Amount`,
            align: "end",
            short: "beside",
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

const What = ({ entry, license }: { entry: Entry; license: License }) => (
  <>
    {TYPE_WORDS[entry.type]}
    {entry.featureName !== null && (
      <Muted className={styles.inCell}>{usageOf(entry.featureName, entry)}</Muted>
    )}
    {entry.leaseId !== null && <Reservation leaseId={entry.leaseId} license={license} />}
  </>
);

/** Which reservation an entry belongs to: that of a device, for those who may see devices. */
function Reservation({ leaseId, license }: { leaseId: string; license: License }) {
  const { manage } = useCan(license.institutionId);
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/leases",
    { params: { path: { licenseId: license.id }, query: { kind: "Credits", pageSize: 100 } } },
    { enabled: manage },
  );
  const lease = data?.items.find(({ id }) => id === leaseId);
  return (
    <Muted className={styles.inCell} title={leaseId}>
      {lease ? t`Reservation of ${{ device: nameOf(lease) }}` : t`Reservation`}
    </Muted>
  );
}

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
