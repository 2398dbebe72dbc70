import { Page } from "../ui/Page";
import { RouteTabs } from "../ui/RouteTabs";
import { ProfileTab } from "./ProfileTab";
import { PasswordTab } from "./PasswordTab";
import { SecondFactorTab } from "./SecondFactorTab";
import { SessionsTab } from "./SessionsTab";

/** The user's account: profile, password, second factor and sessions. */
export default function ProfilePage() {
  return (
    <Page title="Profile and security" help="sign-in-and-security">
      <RouteTabs
        base="/profile"
        label="Profile and security"
        tabs={[
          { path: "", label: "Profile", element: <ProfileTab /> },
          { path: "password", label: "Password", element: <PasswordTab /> },
          { path: "second-factor", label: "Second factor", element: <SecondFactorTab /> },
          { path: "sessions", label: "Sessions", element: <SessionsTab /> },
        ]}
      />
    </Page>
  );
}
