import { Page } from "../ui/Page";

export default function RegisterPage() {
  return <Page title="Register">{null}</Page>;
}
