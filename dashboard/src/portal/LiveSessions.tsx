import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { $api } from "../api/client";
import { dateTime, relative } from "../ui/formats";
import { Column } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import styles from "./portal.module.css";

const REFRESH_MS = 10_000;

const firstPage = (licenseId: string) => ({
  params: { path: { licenseId }, query: { pageSize: 100 } },
});

/** The live sessions of a license of the user. */
export function OwnSessions({ licenseId }: { licenseId: string }) {
  const query = $api.useQuery(
    "get",
    "/api/portal/licenses/{licenseId}/sessions",
    firstPage(licenseId),
    { refetchInterval: REFRESH_MS },
  );
  return (
    <LiveSessions
      {...query}
      sessions={query.data?.items.map(
        ({ deviceName, connectedAt, lastHeartbeatAt, leaseEndsAt }) => ({
          name: deviceName ?? t`Device without a name`,
          facts: [
            t`connected ${{ when: relative(connectedAt) }}`,
            leaseEndsAt
              ? t`borrowed until ${{ end: dateTime(leaseEndsAt) }}`
              : lastHeartbeatAt && t`last seen ${{ when: relative(lastHeartbeatAt) }}`,
          ],
        }),
      )}
    />
  );
}

/** The live sessions of a received license. */
export function ReceivedSessions({ licenseId }: { licenseId: string }) {
  const query = $api.useQuery(
    "get",
    "/api/received-licenses/{licenseId}/sessions",
    firstPage(licenseId),
    { refetchInterval: REFRESH_MS },
  );
  return (
    <LiveSessions
      {...query}
      sessions={query.data?.items.map(({ deviceName, hardwareId, appVersion, connectedAt }) => ({
        name: deviceName ?? hardwareId,
        facts: [
          appVersion && t`version ${{ version: appVersion }}`,
          t`connected ${{ when: relative(connectedAt) }}`,
        ],
      }))}
    />
  );
}

interface LiveSessionsProps {
  error: unknown;
  refetch: () => unknown;
  sessions: { name: string; facts: (string | null)[] }[] | undefined;
}

const LiveSessions = ({ error, refetch, sessions }: LiveSessionsProps) => (
  <Section title={t`Live sessions`}>
    {error !== null && <ProblemAlert error={error} retry={() => void refetch()} />}
    {error === null && !sessions && <Skeleton variant="rounded" height={48} />}
    {sessions?.length === 0 && (
      <Typography color="textSecondary">{t`No application is connected.`}</Typography>
    )}
    <Column as="ul">
      {sessions?.map(({ name, facts }, index) => (
        <li key={index} className={styles.session}>
          <Typography variant="subtitle1" component="p">
            {name}
          </Typography>
          <Muted>{facts.filter(Boolean).join(" · ")}</Muted>
        </li>
      ))}
    </Column>
  </Section>
);
