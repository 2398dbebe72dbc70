import { Page } from "../ui/Page";

export default function ProductsPage() {
  return <Page title="Products">{null}</Page>;
}
