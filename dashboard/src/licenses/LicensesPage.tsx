import { Page } from "../ui/Page";

export default function LicensesPage() {
  return <Page title="Licenses">{null}</Page>;
}
