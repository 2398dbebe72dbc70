import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api } from "../../api/client";
import { useCan } from "../../ui/useInstitution";
import { HeldLicensePage } from "../HeldLicensePage";
import { PortalDevices } from "../PortalDevices";
import { PortalLicenseFile } from "../PortalLicenseFile";
import { ReceivedSessions } from "./ReceivedSessions";

const BACK = { to: "/received-licenses", label: t`Received licenses` };

/** A license that a vendor issued to an institution of the user. */
export default function ReceivedLicensePage() {
  const { licenseId = "" } = useParams();
  const query = $api.useQuery("get", "/api/received-licenses/{licenseId}", {
    params: { path: { licenseId } },
  });
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
