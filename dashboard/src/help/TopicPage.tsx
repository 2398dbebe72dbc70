import { Page } from "../ui/Page";

export default function TopicPage() {
  return <Page title="Help">{null}</Page>;
}
