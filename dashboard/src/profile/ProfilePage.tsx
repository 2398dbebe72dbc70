import { Page } from "../ui/Page";

export default function ProfilePage() {
  return <Page title="Profile">{null}</Page>;
}
