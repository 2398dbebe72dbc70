import { Page } from "../ui/Page";

export default function NewProductPage() {
  return <Page title="New product">{null}</Page>;
}
