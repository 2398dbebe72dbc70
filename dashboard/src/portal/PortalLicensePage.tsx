import Alert from "@mui/material/Alert";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { useParams } from "react-router";
import { $api } from "../api/client";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { PortalDevices } from "./PortalDevices";
import { PortalDownloads } from "./PortalDownloads";
import { PortalLicenseFile } from "./PortalLicenseFile";
import { ADVICE, factsOf } from "./licenseText";

const BACK = { to: "/portal", label: "My licenses" };

export function PortalLicensePage() {
  const { licenseId = "" } = useParams();
  const {
    data: license,
    error,
    refetch,
  } = $api.useQuery("get", "/api/portal/licenses/{licenseId}", {
    params: { path: { licenseId } },
  });
  if (!license)
    return (
      <Page title="License" back={BACK}>
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
  const path = `/api/portal/licenses/${license.id}`;
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
            <DescriptionList facts={factsOf(license)} />
          </Stack>
        </Section>
        <PortalDevices license={license} path={path} manage />
        <PortalLicenseFile license={license} path={path} />
        <PortalDownloads license={license} />
      </Stack>
    </Page>
  );
}
