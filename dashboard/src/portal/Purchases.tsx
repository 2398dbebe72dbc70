import { plural, t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { date, number, signed } from "../ui/formats";
import { Column, Fill, Row } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { paidText, refundedText } from "../ui/orders";
import { Section } from "../ui/Section";
import { readable } from "./licenseText";
import styles from "./portal.module.css";

/** What the user paid for a license, newest first; nothing without an order of theirs. */
export function Purchases({ licenseId }: { licenseId: string }) {
  const { data } = $api.useQuery("get", "/api/portal/licenses/{licenseId}/purchases", {
    params: { path: { licenseId }, query: { pageSize: 20 } },
  });
  return data && <Orders orders={data.items} />;
}

/** What the user paid the vendors of all licenses, newest first. */
export function AllPurchases() {
  const { data } = $api.useQuery("get", "/api/portal/purchases", {
    params: { query: { pageSize: 100 } },
  });
  return data && <Orders orders={data.items} />;
}

const FIRST = 5;

/** Orders, the older ones folded; nothing without one. */
function Orders({ orders }: { orders: readonly Schemas["Purchase"][] }) {
  if (orders.length === 0) return null;
  const earlier = orders.length - FIRST;
  return (
    <Section title={t`Purchases`}>
      <OrderLines orders={orders.slice(0, FIRST)} />
      {earlier > 0 && (
        <details className={styles.folded}>
          <summary>
            {plural(earlier, { one: "# earlier purchase", other: "# earlier purchases" })}
          </summary>
          <OrderLines orders={orders.slice(FIRST)} />
        </details>
      )}
    </Section>
  );
}

const OrderLines = ({ orders }: { orders: readonly Schemas["Purchase"][] }) => (
  <Column as="ul">
    {orders.map((order) => (
      <Line
        key={order.id}
        title={t`Order ${{ number: order.externalId }}`}
        at={order.createdAt}
        figure={paidText(order) ?? ""}
        more={refundedText(order)}
      />
    ))}
  </Column>
);

type Entry = Schemas["PortalLedgerEntry"];

const LAST = 5;

/** The last changes of the balance of a license; nothing before the first. */
export function BalanceChanges({ licenseId }: { licenseId: string }) {
  const { data } = $api.useQuery("get", "/api/portal/licenses/{licenseId}/ledger", {
    params: { path: { licenseId }, query: { pageSize: LAST } },
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Section title={t`Latest changes of the balance`}>
      <Column as="ul">
        {data.items.map((entry) => (
          <Line
            key={entry.id}
            title={causeOf(entry)}
            at={entry.createdAt}
            figure={signed(entry.amount)}
            more={t`Balance ${{ balance: number(entry.balanceAfter) }}`}
          />
        ))}
      </Column>
    </Section>
  );
}

const CAUSES: Record<Exclude<Entry["type"], "Consume" | "LeaseCharge">, string> = {
  InitialGrant: t`Included with the license`,
  AdminGrant: t`Added by the vendor`,
  Adjust: t`Corrected by the vendor`,
  LeaseHold: t`Reserved by a device`,
  LeaseSettle: t`Returned by a device`,
};

/** Why the balance changed: what was used, or who changed it. */
function causeOf({ type, featureName, quantity }: Entry): string {
  if (type !== "Consume" && type !== "LeaseCharge") return CAUSES[type];
  if (featureName === null) return t`Used`;
  const feature = readable(featureName);
  return quantity === null || quantity === 1 ? feature : `${feature} × ${number(quantity)}`;
}

interface LineProps {
  title: string;
  at: string;
  figure: string;
  /** Below the figure. */
  more: string | null;
}

const Line = ({ title, at, figure, more }: LineProps) => (
  <Row as="li" gap="l" align="start" className={styles.line}>
    <Fill>
      <Typography dir="auto">{title}</Typography>
      <Muted>{date(at)}</Muted>
    </Fill>
    <div className={styles.figure}>
      <Typography>{figure}</Typography>
      {more && <Muted>{more}</Muted>}
    </div>
  </Row>
);
