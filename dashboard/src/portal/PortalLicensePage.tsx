import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api } from "../api/client";
import { HeldLicensePage } from "./HeldLicensePage";
import { PortalDevices } from "./PortalDevices";
import { PortalDownloads } from "./PortalDownloads";
import { PortalLicenseFile } from "./PortalLicenseFile";

const BACK = { to: "/portal", label: t`My licenses` };

export function PortalLicensePage() {
  const { licenseId = "" } = useParams();
  const query = $api.useQuery("get", "/api/portal/licenses/{licenseId}", {
    params: { path: { licenseId } },
  });
  const license = query.data;
  const path = `/api/portal/licenses/${licenseId}`;
  return (
    <HeldLicensePage title={t`License`} back={BACK} query={query}>
      {license && (
        <>
          <PortalDevices license={license} path={path} manage />
          <PortalLicenseFile license={license} path={path} />
          <PortalDownloads license={license} />
        </>
      )}
    </HeldLicensePage>
  );
}
