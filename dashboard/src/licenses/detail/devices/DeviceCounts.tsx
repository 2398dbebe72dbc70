import { plural, t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { $api } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { DescriptionList } from "../../../ui/DescriptionList";
import { number } from "../../../ui/formats";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { Section } from "../../../ui/Section";

type Counts = Schemas["LicenseCounts"];

/** The numbers of devices, sessions and access attempts, for those who may not see them. */
export function DeviceCounts({ license }: { license: License }) {
  const { data, error, refetch } = $api.useQuery("get", "/api/licenses/{licenseId}/counts", {
    params: { path: { licenseId: license.id } },
  });
  return (
    <Section
      title={t`Devices and sessions`}
      help="team-and-roles"
      subtitle={t`Only Owners and Admins see the devices themselves.`}
    >
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton variant="rounded" height={160} />}
      {data && <DescriptionList facts={factsOf(license, data)} />}
    </Section>
  );
}

const factsOf = (license: License, counts: Counts): (readonly [name: string, value: string])[] => [
  [t`Active devices`, number(counts.activeDevices)],
  [t`Pending approval`, number(counts.pendingDevices)],
  [t`Blocked devices`, number(counts.blockedDevices)],
  [t`Live sessions`, number(counts.liveSessions)],
  ...(license.type === "NodeLocked" ? [[t`Access attempts`, attemptsOf(counts)] as const] : []),
];

function attemptsOf({ accessAttempts, unreviewedAccessAttempts: open }: Counts): string {
  const all = number(accessAttempts);
  return plural(open, { other: `${all}, # not reviewed` });
}
