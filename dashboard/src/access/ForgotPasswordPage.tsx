import { Page } from "../ui/Page";

export default function ForgotPasswordPage() {
  return <Page title="ForgotPassword">{null}</Page>;
}
