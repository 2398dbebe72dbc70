import { t } from "@lingui/core/macro";
import CardContent from "@mui/material/CardContent";
import { useListContext } from "../../../ui/list/useList";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/list/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { Column } from "../../../ui/layout/layout";
import { Timeline } from "../../../ui/Timeline";
import { eventsOf, type LicenseEvent } from "../../../ui/licenseEvents";
import { useCan } from "../../../ui/useInstitution";
import { useMemberNames } from "../../../ui/useMemberNames";
import { NoteField } from "./NoteField";

const REFRESH_MS = 15_000;

/** The events of the license, newest first. */
export function EventsTab({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  return (
    <Column gap="l">
      {manage && <NoteField license={license} />}
      <DataList
        path={`licenses/${license.id}/events`}
        sort="-occurredAt"
        refetchInterval={REFRESH_MS}
      >
        <LicenseTimeline license={license} />
      </DataList>
    </Column>
  );
}

function LicenseTimeline({ license }: { license: License }) {
  const { items } = useListContext<LicenseEvent>();
  const nameOf = useMemberNames(license.institutionId);
  if (items?.length === 0)
    return (
      <EmptyState title={t`No events yet`}>
        {t`Changes to the license and activity of its devices appear here.`}
      </EmptyState>
    );
  return (
    <CardContent>
      <Timeline events={items && eventsOf(items, nameOf)} />
    </CardContent>
  );
}
