import Skeleton from "@mui/material/Skeleton";
import { $api } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { DescriptionList } from "../../../ui/DescriptionList";
import { number } from "../../../ui/formats";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { Section } from "../../../ui/Section";

/** The numbers of devices, sessions and access attempts, for those who may not see them. */
export function DeviceCounts({ license }: { license: License }) {
  const { data, error, refetch } = $api.useQuery("get", "/api/licenses/{licenseId}/counts", {
    params: { path: { licenseId: license.id } },
  });
  return (
    <Section
      title="Devices and sessions"
      help="team-and-roles"
      subtitle="Only Owners and Admins see the devices themselves."
    >
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton variant="rounded" height={160} />}
      {data && <DescriptionList facts={factsOf(license, data)} />}
    </Section>
  );
}

const factsOf = (
  license: License,
  counts: Schemas["LicenseCounts"],
): (readonly [name: string, value: string])[] => [
  ["Active devices", number(counts.activeDevices)],
  ["Pending approval", number(counts.pendingDevices)],
  ["Blocked devices", number(counts.blockedDevices)],
  ["Live sessions", number(counts.liveSessions)],
  ...(license.type === "NodeLocked" ? [["Access attempts", attemptsOf(counts)] as const] : []),
];

const attemptsOf = ({
  accessAttempts,
  unreviewedAccessAttempts,
}: Schemas["LicenseCounts"]): string =>
  `${number(accessAttempts)}, ${number(unreviewedAccessAttempts)} not reviewed`;
