import { Page } from "../ui/Page";

export default function HelpPage() {
  return <Page title="Help centre">{null}</Page>;
}
