import { Page } from "../ui/Page";

export default function PortalApp() {
  return <Page title="My licenses">{null}</Page>;
}
