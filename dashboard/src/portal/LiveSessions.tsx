import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { dateTime, relative } from "../ui/formats";
import { MODEL_TRAITS } from "../ui/models";
import { Muted } from "../ui/Muted";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import styles from "./portal.module.css";

const REFRESH_MS = 10_000;

type License = Schemas["PortalLicense"];

const firstPage = (licenseId: string) => ({
  params: { path: { licenseId }, query: { pageSize: 100 } },
});

/** The live sessions of a license of the user. */
export function OwnSessions({ license }: { license: License }) {
  const query = $api.useQuery(
    "get",
    "/api/portal/licenses/{licenseId}/sessions",
    firstPage(license.id),
    { refetchInterval: REFRESH_MS },
  );
  return (
    <LiveSessions
      {...query}
      license={license}
      sessions={query.data?.items.map(
        ({ deviceName, connectedAt, lastHeartbeatAt, leaseEndsAt }) => ({
          name: deviceName ?? t`Device without a name`,
          facts: [
            t`Connected ${{ when: relative(connectedAt) }}`,
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
export function ReceivedSessions({ license }: { license: License }) {
  const query = $api.useQuery(
    "get",
    "/api/received-licenses/{licenseId}/sessions",
    firstPage(license.id),
    { refetchInterval: REFRESH_MS },
  );
  return (
    <LiveSessions
      {...query}
      license={license}
      sessions={query.data?.items.map(({ deviceName, hardwareId, appVersion, connectedAt }) => ({
        name: deviceName ?? t`Device …${{ end: hardwareId.slice(-4) }}`,
        facts: [
          t`Connected ${{ when: relative(connectedAt) }}`,
          appVersion && t`version ${{ version: appVersion }}`,
        ],
      }))}
    />
  );
}

interface LiveSessionsProps {
  license: License;
  error: unknown;
  refetch: () => unknown;
  sessions: { name: string; facts: (string | null)[] }[] | undefined;
}

/** Who works with the license now. */
function LiveSessions({ license, error, refetch, sessions }: LiveSessionsProps) {
  const takesSeats = MODEL_TRAITS[license.type].seats === "sessions";
  return (
    <Section
      title={takesSeats ? t`Seats` : t`Live sessions`}
      {...(takesSeats && {
        subtitle: t`A seat is taken while the application runs, and is free again when it is closed.`,
      })}
    >
      {error !== null && <ProblemAlert error={error} retry={() => void refetch()} />}
      {error === null && !sessions && <Skeleton variant="rounded" height={48} />}
      {sessions?.length === 0 && (
        <Typography color="textSecondary">{t`No application is connected.`}</Typography>
      )}
      <ul className={styles.sessions}>
        {sessions?.map(({ name, facts }, index) => (
          <li key={index} className={styles.session}>
            <Typography variant="subtitle1" component="p">
              {name}
            </Typography>
            <Muted>{facts.filter(Boolean).join(" · ")}</Muted>
          </li>
        ))}
      </ul>
    </Section>
  );
}
