import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api, at } from "../../api/client";
import { useCan } from "../../ui/useInstitution";
import { HeldLicensePage, PortalDevices, PortalLicenseFile } from "../HeldLicensePage";
import { ReceivedSessions } from "../LiveSessions";
import { useReservedFacts } from "../reserved";

const BACK = { to: "/received-licenses", label: t`Received licenses` };

/** A license that a vendor issued to an institution of the user. */
export default function ReceivedLicensePage() {
  const { licenseId = "" } = useParams();
  const query = $api.useQuery("get", "/api/received-licenses/{licenseId}", at({ licenseId }));
  const license = query.data;
  const { manage } = useCan(license?.customerInstitutionId);
  const path = `/api/received-licenses/${licenseId}`;
  const reserved = useReservedFacts(license, path);
  return (
    <HeldLicensePage
      title={t`Received license`}
      back={BACK}
      query={query}
      moreFacts={license && [...reserved, [t`Issued to`, license.issuedTo]]}
    >
      {license && (
        <>
          <ReceivedSessions license={license} />
          <PortalDevices license={license} path={path} manage={manage} />
          <PortalLicenseFile license={license} path={path} />
        </>
      )}
    </HeldLicensePage>
  );
}
