import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { $api } from "../api/client";
import { DescriptionList } from "../ui/DescriptionList";
import { number } from "../ui/formats";
import { Loading } from "../ui/Loading";
import { ProblemAlert } from "../ui/ProblemAlert";
import type { Customer } from "./customer";

const PLACES: Record<string, string> = {
  events: t`Events in the audit log`,
  licenses: t`Licenses`,
  activations: t`Devices`,
  sessions: t`Sessions`,
  accessAttempts: t`Access attempts`,
  meterEntries: t`Ledger entries`,
  telemetryEvents: t`Telemetry`,
  licenseMails: t`Emails to them`,
  notifications: t`Notifications`,
  webhookDeliveries: t`Webhook responses`,
  orders: t`Orders`,
  orderLicenses: t`Licenses of orders`,
  connectorEvents: t`Events of shops`,
  connectorBuyers: t`Buyers in shops`,
  savedViews: t`Saved views`,
  invitations: t`Invitations`,
  associations: t`Invitations to products`,
  formerAddresses: t`Former addresses`,
};

const SHOWN_TEXTS = 10;

const usePreview = (customer: Customer) =>
  $api.useQuery(
    "post",
    "/api/customers/{customerId}/erase",
    {
      params: { path: { customerId: customer.id } },
      body: { licenses: "Keep", dryRun: true },
    },
    { gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false },
  );

/** Says how many records an erasure would change, and which texts of the audit log it replaces. */
export function ErasurePreview({ customer }: { customer: Customer }) {
  const { data, error } = usePreview(customer);
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading />;
  const places = Object.entries(data.rows).filter(([, count]) => count > 0);
  const more = data.textCount - SHOWN_TEXTS;
  return (
    <>
      <Typography variant="subtitle2">{t`Records that are erased`}</Typography>
      <DescriptionList
        facts={places.map(([place, count]) => [PLACES[place] ?? place, number(count)])}
      />
      {data.texts.length > 0 && (
        <>
          <Typography variant="subtitle2">{t`Texts that are replaced in the audit log`}</Typography>
          <DescriptionList
            facts={data.texts.slice(0, SHOWN_TEXTS).map(({ text, count }) => [text, number(count)])}
          />
          {more > 0 && <Typography variant="body2">{t`And ${more} more.`}</Typography>}
        </>
      )}
    </>
  );
}
