import { Page } from "../ui/Page";

export default function ProductPage() {
  return <Page title="Product">{null}</Page>;
}
