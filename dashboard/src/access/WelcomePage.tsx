import { api } from "../api/client";
import { PasswordField } from "../ui/PasswordField";
import { useSubmit } from "../ui/useSubmit";
import { NameField } from "./AccountFields";
import { Door } from "./Door";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";
import { TokenField } from "./TokenField";
import { useEnter } from "./useEnter";
import { useMailedToken } from "./useMailedToken";

/** Creates an end user's account with the token from an emailed link. */
export default function WelcomePage() {
  const mailed = useMailedToken();
  const enter = useEnter();
  const submit = useSubmit(async ({ token = mailed ?? "", fullName = "", password = "" }) => {
    const body = { token: token.trim(), fullName, password };
    const { data } = await api.POST("/api/portal/access/confirm", { body });
    await enter(data, "/portal");
  });
  return (
    <Door
      title="Welcome"
      subtitle="Choose a password to see your licenses, devices and files."
      footer={<DoorLink to="/portal/access">Request a new link</DoorLink>}
    >
      <DoorForm submit={submit} action="Show my licenses">
        {mailed === null && <TokenField name="token" />}
        <NameField submit={submit} />
        <PasswordField {...submit.field("password")} label="Password" chosen />
      </DoorForm>
    </Door>
  );
}
