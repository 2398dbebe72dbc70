import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { $api } from "../../api/client";
import { relative } from "../../ui/formats";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";

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
      <Stack component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {data?.items.map((session) => (
          <Stack component="li" key={session.id} sx={{ py: 1, overflowWrap: "anywhere" }}>
            <Typography sx={{ fontWeight: 600 }}>
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
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}
