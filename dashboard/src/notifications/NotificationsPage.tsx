import { t } from "@lingui/core/macro";
import { Page } from "../ui/Page";
import { RouteTabs } from "../ui/RouteTabs";
import { ListTab } from "./ListTab";
import { PreferencesTab } from "./PreferencesTab";

export default function NotificationsPage() {
  return (
    <Page
      title={t`Notifications`}
      help="notifications"
      subtitle={t`What may need your attention, across all your institutions.`}
    >
      <RouteTabs
        base="/notifications"
        label={t`Notifications`}
        tabs={[
          { path: "", label: t`Received`, element: <ListTab /> },
          { path: "preferences", label: t`Preferences`, element: <PreferencesTab /> },
        ]}
      />
    </Page>
  );
}
