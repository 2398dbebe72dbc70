import { Page } from "../ui/Page";

export default function UsersPage() {
  return <Page title="Users">{null}</Page>;
}
