import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { $api } from "../../api/client";
import { relative } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import styles from "./received.module.css";

const REFRESH_MS = 10_000;

/** The live sessions of a received license. */
export function ReceivedSessions({ licenseId }: { licenseId: string }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/received-licenses/{licenseId}/sessions",
    { params: { path: { licenseId }, query: { pageSize: 100 } } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section title={t`Live sessions`}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton variant="rounded" height={48} />}
      {data?.items.length === 0 && (
        <Typography color="textSecondary">{t`No application is connected.`}</Typography>
      )}
      <Column as="ul">
        {data?.items.map((session) => (
          <li key={session.id} className={styles.session}>
            <Typography variant="subtitle1" component="p">
              {session.deviceName ?? session.hardwareId}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {[
                session.appVersion && t`version ${{ version: session.appVersion }}`,
                t`connected ${{ when: relative(session.connectedAt) }}`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </Typography>
          </li>
        ))}
      </Column>
    </Section>
  );
}
