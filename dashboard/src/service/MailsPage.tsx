import { Page } from "../ui/Page";

export default function MailsPage() {
  return <Page title="Mail">{null}</Page>;
}
