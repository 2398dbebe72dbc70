import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { DescriptionList } from "../../../ui/DescriptionList";
import { eventsOf } from "../../../ui/licenseEvents";
import { ButtonLink } from "../../../ui/PageLink";
import { RelativeTime } from "../../../ui/RelativeTime";
import { RichText } from "../../../ui/RichText";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { Timeline } from "../../../ui/Timeline";
import { useCan } from "../../../ui/useInstitution";
import { nameOf } from "../devices/deviceActions";
import { LicenseDetails } from "./LicenseDetails";
import { LicenseFile } from "./LicenseFile";
import styles from "./overview.module.css";

/** The license at a glance: its terms and use, what happened last, and what the team wrote. */
export function Overview({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <LicenseDetails license={license} />
        <LicenseFile license={license} />
      </div>
      <div className={styles.column}>
        <LatestEvents license={license} />
        {manage && <LatestDevices license={license} />}
        <Section title={t`Notes`}>
          <Notes text={license.notes} />
        </Section>
        <Section title={t`Metadata`}>
          <Metadata pairs={license.metadata} />
        </Section>
      </div>
    </div>
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
const REFRESH_MS = 15_000;

/** What happened last: who did what, and when. */
function LatestEvents({ license }: { license: License }) {
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/events",
    {
      params: {
        path: { licenseId: license.id },
        query: { pageSize: EVENTS_SHOWN, sort: "-occurredAt" },
      },
    },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section
      title={t`Timeline`}
      actions={
        <ButtonLink to={`/licenses/${license.id}/events`} size="small">
          {t`All events`}
        </ButtonLink>
      }
    >
      <Timeline events={data && eventsOf(data.items)} />
    </Section>
  );
}

function Metadata({ pairs }: { pairs: Record<string, string> }) {
  const facts = Object.entries(pairs);
  if (facts.length === 0)
    return (
      <Typography color="textSecondary">
        {t`None. Metadata is delivered to your application with the license.`}
      </Typography>
    );
  return <DescriptionList facts={facts} />;
}

/** Internal notes about the license. */
const Notes = ({ text }: { text: string | null }) =>
  text === null ? (
    <Typography color="textSecondary">
      {t`None. Notes are for your team only; customers cannot see them.`}
    </Typography>
  ) : (
    <RichText>{text}</RichText>
  );
