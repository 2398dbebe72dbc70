import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { $api } from "../../api/client";
import type { Institution } from "../../api/types";
import { ProblemAlert } from "../../ui/ProblemAlert";
import type { TabProps } from "../parts/TabProps";
import { AppearanceForm } from "./AppearanceForm";
import { IpAllowListForm } from "./IpAllowListForm";
import { DangerZone } from "./DangerZone";
import { LimitsForm } from "./LimitsForm";
import { NameForm } from "./NameForm";
import { RemindersForm } from "./RemindersForm";
import { SecondFactorForm } from "./SecondFactorForm";
import { SettingsSummary } from "./SettingsSummary";

/** Settings of the institution: readable by all members, editable by Owners and Admins. */
export function SettingsTab({
  institutionId,
  can,
  institution,
}: TabProps & { institution: Institution | undefined }) {
  const asked = $api.useQuery("get", "/api/institutions/{institutionId}/settings", {
    params: { path: { institutionId } },
  });
  const settings = asked.data;
  if (asked.error) return <ProblemAlert error={asked.error} retry={() => void asked.refetch()} />;
  if (!settings || !institution) return <Skeleton variant="rounded" height={420} />;
  if (!can.manage) return <SettingsSummary settings={settings} />;
  const shared = { institutionId, settings };
  return (
    <Stack sx={{ gap: 2.5, maxWidth: 820 }}>
      <NameForm key={institution.name} institution={institution} />
      <AppearanceForm institutionId={institutionId} />
      <IpAllowListForm key={settings.ipAllowList.join()} {...shared} />
      <SecondFactorForm {...shared} />
      <LimitsForm {...shared} />
      <RemindersForm {...shared} />
      {can.own && <DangerZone institution={institution} />}
    </Stack>
  );
}
