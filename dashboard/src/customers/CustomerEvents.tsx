import CardContent from "@mui/material/CardContent";
import { useListContext } from "react-admin";
import { detailsOf } from "../ui/licenseEvents/details";
import { sentenceOf, type LicenseEvent } from "../ui/licenseEvents/sentences";
import { DataList } from "../ui/DataList";
import { EmptyState } from "../ui/EmptyState";
import { Timeline } from "../ui/Timeline";
import type { Customer } from "./customer";

/** What happened to the customer and their licenses, newest first. */
export const CustomerEvents = ({ customer }: { customer: Customer }) => (
  <DataList<LicenseEvent>
    resource={`customers/${customer.id}/events`}
    storeKey={false}
    sort={{ field: "occurredAt", order: "DESC" }}
    empty={false}
  >
    <CustomerTimeline />
  </DataList>
);

function CustomerTimeline() {
  const { data } = useListContext<LicenseEvent>();
  if (data?.length === 0)
    return <EmptyState title="No events yet">Sales and use of licenses appear here.</EmptyState>;
  return (
    <CardContent>
      <Timeline
        events={data?.map((event) => ({
          id: event.id,
          kind: event.type,
          occurredAt: event.occurredAt,
          sentence: sentenceOf(event),
          subject: detailsOf(event),
        }))}
      />
    </CardContent>
  );
}
