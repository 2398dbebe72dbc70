import CardContent from "@mui/material/CardContent";
import { useListContext } from "react-admin";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { Timeline } from "../../../ui/Timeline";
import { detailsOf } from "../../../ui/licenseEvents/details";
import { sentenceOf, type LicenseEvent } from "../../../ui/licenseEvents/sentences";

const REFRESH_MS = 15_000;

/** The events of the license, newest first. */
export const EventsTab = ({ license }: { license: License }) => (
  <DataList<LicenseEvent>
    resource={`licenses/${license.id}/events`}
    storeKey={false}
    sort={{ field: "occurredAt", order: "DESC" }}
    queryOptions={{ refetchInterval: REFRESH_MS }}
    empty={false}
  >
    <LicenseTimeline />
  </DataList>
);

function LicenseTimeline() {
  const { data } = useListContext<LicenseEvent>();
  if (data?.length === 0)
    return (
      <EmptyState title="No events yet">
        Changes to the license and activity of its devices appear here.
      </EmptyState>
    );
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
