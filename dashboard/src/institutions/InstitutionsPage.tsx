import { Page } from "../ui/Page";

export default function InstitutionsPage() {
  return <Page title="Institutions">{null}</Page>;
}
