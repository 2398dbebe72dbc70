import { t } from "@lingui/core/macro";
import { Page } from "../ui/Page";
import { RouteTabs } from "../ui/RouteTabs";
import { ProfileTab } from "./ProfileTab";
import { PasswordTab } from "./PasswordTab";
import { SecondFactorTab } from "./SecondFactorTab";
import { SessionsTab } from "./SessionsTab";

/** The user's account: profile, password, second factor and sessions. */
export default function ProfilePage() {
  return (
    <Page title={t`Profile and security`} help="sign-in-and-security">
      <RouteTabs
        base="/profile"
        label={t`Profile and security`}
        tabs={[
          { path: "", label: t`Profile`, element: <ProfileTab /> },
          { path: "password", label: t`Password`, element: <PasswordTab /> },
          { path: "second-factor", label: t`Second factor`, element: <SecondFactorTab /> },
          { path: "sessions", label: t`Sessions`, element: <SessionsTab /> },
        ]}
      />
    </Page>
  );
}
