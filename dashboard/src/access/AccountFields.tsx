import { t } from "@lingui/core/macro";
import TextField from "@mui/material/TextField";
import { PasswordField } from "../ui/PasswordField";
import type { useSubmit } from "../ui/useSubmit";

/** Account and institution fields for the first user of an institution. */
export const AccountFields = ({ submit }: { submit: ReturnType<typeof useSubmit> }) => (
  <>
    <TextField
      {...submit.field("email")}
      type="email"
      label={t`Email address`}
      autoComplete="username"
      required
      fullWidth
    />
    <NameField submit={submit} />
    <PasswordField {...submit.field("password")} label={t`Password`} chosen />
    <TextField
      helperText={t`Your company or team. You can rename it later.`}
      {...submit.field("institutionName")}
      label={t`Institution`}
      autoComplete="organization"
      required
      fullWidth
      slotProps={{ htmlInput: { maxLength: 200 } }}
    />
  </>
);

export const NameField = ({ submit }: { submit: ReturnType<typeof useSubmit> }) => (
  <TextField
    {...submit.field("fullName")}
    label={t`Full name`}
    autoComplete="name"
    required
    fullWidth
    slotProps={{ htmlInput: { maxLength: 200 } }}
  />
);
