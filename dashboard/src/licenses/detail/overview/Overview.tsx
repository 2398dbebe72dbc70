import { t } from "@lingui/core/macro";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { DescriptionList } from "../../../ui/DescriptionList";
import { WithAside } from "../../../ui/layout/layout";
import { eventsOf } from "../../../ui/licenseEvents";
import { ButtonLink } from "../../../ui/PageLink";
import { RelativeTime } from "../../../ui/RelativeTime";
import { RichText } from "../../../ui/RichText";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { Timeline } from "../../../ui/Timeline";
import { useCan } from "../../../ui/useInstitution";
import { useLatestEvents } from "../events/useLatestEvents";
import { nameOf } from "../../../ui/devices/deviceActions";
import { LicenseDetails } from "./LicenseDetails";
import { LicenseFile } from "./LicenseFile";
import styles from "./overview.module.css";

/** The license at a glance: its terms and use, what happened last, and what the team wrote. */
export function Overview({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const metadata = Object.entries(license.metadata);
  return (
    <WithAside
      aside={
        <>
          <LatestEvents license={license} />
          {manage && <LatestDevices license={license} />}
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
      <LicenseDetails license={license} />
      <LicenseFile license={license} />
    </WithAside>
  );
}

const DEVICES_SHOWN = 4;

/** The devices that were seen last; nothing if there are none. */
function LatestDevices({ license }: { license: License }) {
  const { data } = $api.useQuery("get", "/api/licenses/{licenseId}/activations", {
    params: {
      path: { licenseId: license.id },
      query: { pageSize: DEVICES_SHOWN, sort: "-lastSeenAt" },
    },
  });
  if (!data?.items.length) return null;
  return (
    <Section
      title={t`Devices`}
      actions={
        <ButtonLink to={`/licenses/${license.id}/activations`} size="small">
          {t`All ${{ count: data.totalCount ?? "" }}`}
        </ButtonLink>
      }
    >
      <ul className={styles.devices}>
        {data.items.map((device) => (
          <li key={device.id}>
            <span className={styles.device}>{nameOf(device)}</span>
            <span className={styles.seen}>
              <RelativeTime at={device.lastSeenAt} />
            </span>
            <StatusChip status={device.status} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const EVENTS_SHOWN = 5;

/** What happened last: who did what, and when. */
function LatestEvents({ license }: { license: License }) {
  const { data } = useLatestEvents(license);
  return (
    <Section
      title={t`Timeline`}
      actions={
        <ButtonLink to={`/licenses/${license.id}/events`} size="small">
          {t`All events`}
        </ButtonLink>
      }
    >
      <Timeline events={data && eventsOf(data.slice(0, EVENTS_SHOWN))} />
    </Section>
  );
}
