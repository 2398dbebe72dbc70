import { t } from "@lingui/core/macro";
import type { License } from "../../../api/types";
import { DescriptionList } from "../../../ui/DescriptionList";
import { WithAside, Column } from "../../../ui/layout/layout";
import { eventsOf } from "../../../ui/licenseEvents";
import { ButtonLink } from "../../../ui/PageLink";
import { RichText } from "../../../ui/RichText";
import { Section } from "../../../ui/Section";
import { Timeline } from "../../../ui/Timeline";
import { useCan } from "../../../ui/useInstitution";
import { NoteField } from "../events/NoteField";
import { useLatestEvents } from "../events/useLatestEvents";
import type { Order } from "../useOrder";
import { LatestUse } from "./LatestUse";
import { LicenseFacts } from "./LicenseFacts";

interface OverviewProps {
  license: License;
  /** What the license was bought with. */
  order: Order | undefined;
  /** Whether the verdict above says when the license ends. */
  tellsEnd: boolean;
}

/** The license at a glance: who has and uses it, what happened last, and what the team wrote. */
export function Overview({ license, order, tellsEnd }: OverviewProps) {
  const { manage } = useCan(license.institutionId);
  const metadata = Object.entries(license.metadata);
  return (
    <WithAside
      aside={
        <>
          <LatestEvents license={license} />
          {license.notes !== null && (
            <Section title={t`Notes`} subtitle={t`For your team only; customers cannot see them.`}>
              <RichText>{license.notes}</RichText>
            </Section>
          )}
          {metadata.length > 0 && (
            <Section title={t`Metadata`}>
              <DescriptionList facts={metadata} />
            </Section>
          )}
        </>
      }
    >
      <LicenseFacts license={license} order={order} tellsEnd={tellsEnd} />
      {manage && <LatestUse license={license} />}
    </WithAside>
  );
}

const EVENTS_SHOWN = 5;

/** What happened last: who did what, and when. */
function LatestEvents({ license }: { license: License }) {
  const events = useLatestEvents(license);
  const { manage } = useCan(license.institutionId);
  return (
    <Section
      title={t`Timeline`}
      actions={
        <ButtonLink to={`/licenses/${license.id}/events`} size="small">
          {t`All events`}
        </ButtonLink>
      }
    >
      <Column gap="m">
        {manage && <NoteField license={license} />}
        <Timeline events={events && eventsOf(events.slice(0, EVENTS_SHOWN))} />
      </Column>
    </Section>
  );
}
