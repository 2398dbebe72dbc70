import Alert from "@mui/material/Alert";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { useParams } from "react-router";
import { $api } from "../../api/client";
import { CopyField } from "../../ui/CopyField";
import { DescriptionList } from "../../ui/DescriptionList";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { useCan } from "../../ui/useInstitution";
import { ADVICE, factsOf } from "../licenseText";
import { PortalDevices } from "../PortalDevices";
import { PortalLicenseFile } from "../PortalLicenseFile";
import { ReceivedSessions } from "./ReceivedSessions";

const BACK = { to: "/received-licenses", label: "Received licenses" };

/** A license that a vendor issued to an institution of the user. */
export default function ReceivedLicensePage() {
  const { licenseId = "" } = useParams();
  const {
    data: license,
    error,
    refetch,
  } = $api.useQuery("get", "/api/received-licenses/{licenseId}", {
    params: { path: { licenseId } },
  });
  const { manage } = useCan(license?.customerInstitutionId);
  if (!license)
    return (
      <Page title="Received license" back={BACK}>
        {error ? (
          <ProblemAlert error={error} retry={() => void refetch()} />
        ) : (
          <Stack sx={{ gap: 2 }} aria-busy>
            <Skeleton variant="rounded" height={200} />
            <Skeleton variant="rounded" height={160} />
          </Stack>
        )}
      </Page>
    );
  const advice = ADVICE[license.status];
  const path = `/api/received-licenses/${license.id}`;
  return (
    <Page
      title={license.productName}
      mark={<StatusChip status={license.status} />}
      subtitle={license.licenseName}
      back={BACK}
    >
      <Stack sx={{ gap: 2.5 }}>
        {advice && <Alert severity="warning">{advice}</Alert>}
        <Section title="License">
          <Stack sx={{ gap: 2 }}>
            <CopyField label="License key" value={license.licenseKey} />
            <DescriptionList facts={[...factsOf(license), ["Issued to", license.issuedTo]]} />
          </Stack>
        </Section>
        <PortalDevices license={license} path={path} manage={manage} />
        <ReceivedSessions licenseId={license.id} />
        <PortalLicenseFile license={license} path={path} />
      </Stack>
    </Page>
  );
}
