import { Page } from "../ui/Page";

export default function AcceptInvitationPage() {
  return <Page title="AcceptInvitation">{null}</Page>;
}
