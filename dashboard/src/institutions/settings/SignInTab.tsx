import { t } from "@lingui/core/macro";
import FormControlLabel from "@mui/material/FormControlLabel";
import Skeleton from "@mui/material/Skeleton";
import Switch from "@mui/material/Switch";
import { Suspense, useState } from "react";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { lazy } from "../../ui/lazy";
import { Section } from "../../ui/Section";
import { IpAllowListForm } from "./IpAllowListSection";
import {
  SettingsLoader,
  type SettingsProps,
  type SettingsTabProps,
  useSaveSettings,
} from "./settings";

const SingleSignOn = lazy(() => import("../sso/SingleSignOn"));

/** How members get in: second factor, allowed addresses, and for Owners the identity provider. */
export const SignInTab = ({ institution, can }: SettingsTabProps) => (
  <>
    <SettingsLoader institutionId={institution.id}>
      {(settings) => (
        <>
          <SecondFactorForm institutionId={institution.id} settings={settings} />
          <IpAllowListForm institutionId={institution.id} settings={settings} />
        </>
      )}
    </SettingsLoader>
    {can.own && (
      <Suspense fallback={<Skeleton variant="rounded" height={420} />}>
        <SingleSignOn institutionId={institution.id} />
      </Suspense>
    )}
  </>
);

/** Whether members need a second factor. */
function SecondFactorForm({ institutionId, settings }: SettingsProps) {
  const [asked, setAsked] = useState<boolean>();
  const saveSettings = useSaveSettings(institutionId);
  return (
    <Section
      title={t`Second factor`}
      help="sign-in-and-security"
      subtitle={t`When it is required, members without one can do nothing but turn one on. A sign-in through the institution's identity provider counts; API keys are not affected.`}
    >
      <FormControlLabel
        label={t`Require a second factor`}
        control={
          <Switch
            checked={settings.requireSecondFactor}
            onChange={(_, checked) => setAsked(checked)}
          />
        }
      />
      {asked !== undefined && (
        <ConfirmDialog
          title={asked ? t`Require a second factor?` : t`Stop requiring a second factor?`}
          action={asked ? t`Require it` : t`Stop requiring it`}
          consequence={
            asked
              ? t`It takes effect at once, also for open sessions. Members without a second factor, you included, see only their profile until they have turned one on.`
              : t`Members can sign in with their password alone again.`
          }
          onConfirm={() =>
            saveSettings(
              { requireSecondFactor: asked },
              asked ? t`A second factor is required.` : t`A second factor is no longer required.`,
            )
          }
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}
