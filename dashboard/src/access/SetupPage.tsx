import { Page } from "../ui/Page";

export default function SetupPage() {
  return <Page title="Setup">{null}</Page>;
}
