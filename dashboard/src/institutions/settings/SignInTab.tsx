import { plural, t } from "@lingui/core/macro";
import FormControlLabel from "@mui/material/FormControlLabel";
import Skeleton from "@mui/material/Skeleton";
import Switch from "@mui/material/Switch";
import { Suspense, useState } from "react";
import { $api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { lazy } from "../../ui/lazy";
import { Muted } from "../../ui/Muted";
import { Section } from "../../ui/Section";
import { IpAllowListForm } from "./IpAllowListSection";
import { namesText } from "./people";
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

/** The members without a second factor, as many as are named, and how many there are. */
function useUnprotected(institutionId: string) {
  const { data } = $api.useQuery("get", "/api/institutions/{institutionId}/members", {
    params: {
      path: { institutionId },
      query: { hasSecondFactor: false, pageSize: 10, sort: "fullName" },
    },
  });
  if (!data) return undefined;
  const { items, totalCount: count = items.length } = data;
  return { count, names: namesText(items, count) };
}

/** Whether members need a second factor; says whom that would affect before it does. */
function SecondFactorForm({ institutionId, settings }: SettingsProps) {
  const [asked, setAsked] = useState<boolean>();
  const saveSettings = useSaveSettings(institutionId);
  const unprotected = useUnprotected(institutionId);
  const names = unprotected?.names ?? "";
  const isRequired = settings.requireSecondFactor;
  return (
    <Section
      title={t`Second factor`}
      help="sign-in-and-security"
      subtitle={t`When it is required, members without one see only their profile until they have turned one on. A sign-in through the institution's identity provider counts; API keys are not affected.`}
    >
      <FormControlLabel
        label={t`Require a second factor`}
        control={<Switch checked={isRequired} onChange={(_, checked) => setAsked(checked)} />}
      />
      <Muted>
        {unprotected &&
          (unprotected.count === 0
            ? t`All members have one.`
            : plural(unprotected.count, {
                one: `# member has none: ${names}.`,
                other: `# members have none: ${names}.`,
              }))}
      </Muted>
      {asked !== undefined && (
        <ConfirmDialog
          title={asked ? t`Require a second factor?` : t`Stop requiring a second factor?`}
          action={asked ? t`Require it` : t`Stop requiring it`}
          disabled={asked && !unprotected}
          consequence={
            asked
              ? unprotected && <Consequence {...unprotected} />
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

const Consequence = ({ count, names }: { count: number; names: string }) =>
  count === 0
    ? t`All members have a second factor, so nobody loses access.`
    : plural(count, {
        one: `It takes effect at once, also for open sessions. # member has no second factor and sees only their profile until one is turned on: ${names}.`,
        other: `It takes effect at once, also for open sessions. # members have no second factor and see only their profile until they have turned one on: ${names}.`,
      });
