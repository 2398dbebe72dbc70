import { Page } from "../ui/Page";

export default function ApiKeysPage() {
  return <Page title="API keys">{null}</Page>;
}
