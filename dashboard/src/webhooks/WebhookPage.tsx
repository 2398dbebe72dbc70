import { Page } from "../ui/Page";

export default function WebhookPage() {
  return <Page title="Webhook">{null}</Page>;
}
