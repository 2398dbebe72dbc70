import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useApiForm } from "../ui/form/useApiForm";
import { AuthForm } from "./AuthForm";
import { EmailField } from "./fields";

/** Opens the page where an institution's identity provider signs its people in. */
const startSingleSignOn = (email: string) => {
  const query = new URLSearchParams({ email: email.trim() });
  location.assign(`/api/auth/sso/start?${query.toString()}`);
};

interface SingleSignOnStepProps {
  email: string;
  /** The institution accepts no password. */
  isRequired: boolean;
  onBack: () => void;
}

/** Email address only: its domain tells which identity provider to go to. */
export function SingleSignOnStep({ email, isRequired, onBack }: SingleSignOnStepProps) {
  const form = useApiForm({
    values: { email },
    send: ({ email: given }) => {
      startSingleSignOn(given);
      return Promise.resolve();
    },
  });
  return (
    <>
      <AuthForm form={form} action={t`Continue`}>
        {isRequired && (
          <Alert severity="info">
            {t`Your institution signs in through its own identity provider. Continue there.`}
          </Alert>
        )}
        <EmailField {...form.field("email")} autoFocus />
      </AuthForm>
      <div>
        <Button size="small" onClick={onBack}>
          {t`Use a password`}
        </Button>
      </div>
    </>
  );
}
