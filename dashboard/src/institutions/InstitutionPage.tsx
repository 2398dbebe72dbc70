import { Page } from "../ui/Page";

export default function InstitutionPage() {
  return <Page title="Institution">{null}</Page>;
}
