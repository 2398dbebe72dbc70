import { Page } from "../ui/Page";

export default function IssuePage() {
  return <Page title="Issue a license">{null}</Page>;
}
