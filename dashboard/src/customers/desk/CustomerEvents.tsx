import { t } from "@lingui/core/macro";
import CardContent from "@mui/material/CardContent";
import { $api, api, at } from "../../api/client";
import { EmptyState } from "../../ui/EmptyState";
import { Column } from "../../ui/layout/layout";
import { eventsOf, isNote, type LicenseEvent } from "../../ui/licenseEvents";
import { DataList } from "../../ui/list/DataList";
import { useListContext } from "../../ui/list/useList";
import { Markdown } from "../../ui/Markdown";
import { NewNote } from "../../ui/NewNote";
import { ButtonLink } from "../../ui/PageLink";
import { Section } from "../../ui/Section";
import { Timeline, type TimelineEvent } from "../../ui/Timeline";
import { useCan } from "../../ui/useInstitution";
import { useMemberNames } from "../../ui/useMemberNames";
import type { Customer } from "../customer";

interface CustomerProps {
  customer: Customer;
}

/** What happened to the customer and their licenses, newest first. */
export const CustomerEvents = ({ customer }: CustomerProps) => (
  <DataList path={`customers/${customer.id}/events`} sort="-occurredAt">
    <CustomerTimeline customer={customer} />
  </DataList>
);

function CustomerTimeline({ customer }: CustomerProps) {
  const { items } = useListContext<LicenseEvent>();
  const events = useNamed(customer, items);
  if (items?.length === 0)
    return (
      <EmptyState title={t`No events yet`}>{t`Sales and use of licenses appear here.`}</EmptyState>
    );
  return (
    <CardContent>
      <Timeline events={events} />
    </CardContent>
  );
}

const licenseOf = ({ subjectId, data: { licenseId } }: LicenseEvent): string =>
  typeof licenseId === "string" ? licenseId : subjectId;

/** The events as a timeline shows them, each with the name of its license. */
function useNamed(
  { id, institutionId }: Customer,
  items: readonly LicenseEvent[] | undefined,
): TimelineEvent[] | undefined {
  const nameOf = useMemberNames(institutionId);
  const { data } = $api.useQuery("get", "/api/licenses", {
    params: { query: { customerId: id, pageSize: 100 } },
  });
  const names = new Map(data?.items.map((license) => [license.id, license.licenseName]));
  return items?.flatMap((item) =>
    eventsOf([item], nameOf).map((event) => {
      const name = names.get(licenseOf(item));
      if (name === undefined) return event;
      const subject = [name, event.subject].filter(Boolean).join(" · ");
      return { ...event, subject, to: `/licenses/${licenseOf(item)}` };
    }),
  );
}

/** Among so many events the notes are found. */
const SEARCHED = 100;
/** As many of them are shown; the other tab has all. */
const SHOWN = 5;

/** What the team has written about the customer and their licenses, and where it writes more. */
export function CustomerNotes({ customer }: CustomerProps) {
  const { id, notes } = customer;
  const { manage } = useCan(customer.institutionId);
  const { data } = $api.useQuery("get", "/api/customers/{customerId}/events", {
    params: { path: { customerId: id }, query: { pageSize: SEARCHED, sort: "-occurredAt" } },
  });
  const written = useNamed(customer, data?.items.filter(isNote).slice(0, SHOWN)) ?? [];
  if (!manage && notes === null && written.length === 0) return null;
  return (
    <Section
      title={t`Notes`}
      subtitle={t`For your team only; customers cannot see them.`}
      actions={
        <ButtonLink to={`/customers/${id}/events`} size="small">
          {t`All events`}
        </ButtonLink>
      }
    >
      <Column gap="m">
        {manage && (
          <NewNote
            add={({ note }) =>
              api.POST("/api/customers/{customerId}/notes", {
                ...at({ customerId: id }),
                body: { note },
              })
            }
          />
        )}
        {notes !== null && <Markdown>{notes}</Markdown>}
        {written.length > 0 && <Timeline events={written} />}
      </Column>
    </Section>
  );
}
