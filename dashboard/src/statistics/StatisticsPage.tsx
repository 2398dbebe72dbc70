import { Page } from "../ui/Page";

export default function StatisticsPage() {
  return <Page title="Statistics">{null}</Page>;
}
