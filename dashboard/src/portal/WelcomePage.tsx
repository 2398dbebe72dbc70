import { Page } from "../ui/Page";

export default function WelcomePage() {
  return <Page title="Welcome">{null}</Page>;
}
