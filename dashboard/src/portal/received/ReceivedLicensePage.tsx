import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useParams } from "react-router";
import { $api, at } from "../../api/client";
import { relative } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { useCan } from "../../ui/useInstitution";
import { HeldLicensePage, PortalDevices, PortalLicenseFile } from "../HeldLicensePage";
import styles from "./received.module.css";

const BACK = { to: "/received-licenses", label: t`Received licenses` };

/** A license that a vendor issued to an institution of the user. */
export default function ReceivedLicensePage() {
  const { licenseId = "" } = useParams();
  const query = $api.useQuery("get", "/api/received-licenses/{licenseId}", at({ licenseId }));
  const license = query.data;
  const { manage } = useCan(license?.customerInstitutionId);
  const path = `/api/received-licenses/${licenseId}`;
  return (
    <HeldLicensePage
      title={t`Received license`}
      back={BACK}
      query={query}
      moreFacts={license && [[t`Issued to`, license.issuedTo]]}
    >
      {license && (
        <>
          <PortalDevices license={license} path={path} manage={manage} />
          <ReceivedSessions licenseId={license.id} />
          <PortalLicenseFile license={license} path={path} />
        </>
      )}
    </HeldLicensePage>
  );
}

const REFRESH_MS = 10_000;

/** The live sessions of a received license. */
function ReceivedSessions({ licenseId }: { licenseId: string }) {
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
            <Muted>
              {[
                session.appVersion && t`version ${{ version: session.appVersion }}`,
                t`connected ${{ when: relative(session.connectedAt) }}`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </Muted>
          </li>
        ))}
      </Column>
    </Section>
  );
}
