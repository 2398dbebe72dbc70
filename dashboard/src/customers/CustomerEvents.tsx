import { t } from "@lingui/core/macro";
import CardContent from "@mui/material/CardContent";
import { EmptyState } from "../ui/EmptyState";
import type { LicenseEvent } from "../ui/licenseEvents/sentences";
import { eventsOf } from "../ui/licenseEvents/timeline";
import { DataList } from "../ui/list/DataList";
import { useListContext } from "../ui/list/useList";
import { Timeline } from "../ui/Timeline";
import type { Customer } from "./customer";

/** What happened to the customer and their licenses, newest first. */
export const CustomerEvents = ({ customer }: { customer: Customer }) => (
  <DataList path={`customers/${customer.id}/events`} sort="-occurredAt">
    <CustomerTimeline />
  </DataList>
);

function CustomerTimeline() {
  const { items } = useListContext<LicenseEvent>();
  if (items?.length === 0)
    return (
      <EmptyState title={t`No events yet`}>{t`Sales and use of licenses appear here.`}</EmptyState>
    );
  return (
    <CardContent>
      <Timeline events={items && eventsOf(items)} />
    </CardContent>
  );
}
