import { Page } from "../ui/Page";
import { RouteTabs } from "../ui/RouteTabs";
import { ListTab } from "./ListTab";
import { PreferencesTab } from "./PreferencesTab";

export default function NotificationsPage() {
  return (
    <Page
      title="Notifications"
      help="notifications"
      subtitle="What may need your attention, across all your institutions."
    >
      <RouteTabs
        base="/notifications"
        label="Notifications"
        tabs={[
          { path: "", label: "Received", element: <ListTab /> },
          { path: "preferences", label: "Preferences", element: <PreferencesTab /> },
        ]}
      />
    </Page>
  );
}
