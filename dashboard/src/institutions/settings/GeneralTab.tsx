import { DangerZone } from "./DangerZone";
import { LimitsForm } from "./LimitsForm";
import { NameForm } from "./NameForm";
import { RemindersForm } from "./RemindersForm";
import type { SettingsTabProps } from "./settings";
import { SettingsLoader } from "./SettingsLoader";
import { SettingsSummary } from "./SettingsSummary";

/** Name, limits and reminders; for everybody but Owners and Admins what is set, to read. */
export const GeneralTab = ({ institution, can }: SettingsTabProps) => (
  <SettingsLoader institutionId={institution.id}>
    {(settings) =>
      can.manage ? (
        <>
          <NameForm institution={institution} />
          <LimitsForm institutionId={institution.id} settings={settings} />
          <RemindersForm institutionId={institution.id} settings={settings} />
          {can.own && <DangerZone institution={institution} />}
        </>
      ) : (
        <SettingsSummary settings={settings} />
      )
    }
  </SettingsLoader>
);
