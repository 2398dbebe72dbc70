import { Page } from "../ui/Page";

export default function NotificationsPage() {
  return <Page title="Notifications">{null}</Page>;
}
