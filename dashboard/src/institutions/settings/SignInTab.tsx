import Skeleton from "@mui/material/Skeleton";
import { Suspense } from "react";
import { lazy } from "../../ui/lazy";
import { IpAllowListForm } from "./IpAllowListForm";
import { SecondFactorForm } from "./SecondFactorForm";
import type { SettingsTabProps } from "./settings";
import { SettingsLoader } from "./SettingsLoader";

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
