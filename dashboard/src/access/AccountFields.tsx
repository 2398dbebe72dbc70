import TextField from "@mui/material/TextField";
import { PasswordField } from "../ui/PasswordField";
import type { useSubmit } from "../ui/useSubmit";

/** Account and institution fields for the first user of an institution. */
export const AccountFields = ({ submit }: { submit: ReturnType<typeof useSubmit> }) => (
  <>
    <TextField
      {...submit.field("email")}
      type="email"
      label="Email address"
      autoComplete="username"
      required
      fullWidth
    />
    <NameField submit={submit} />
    <PasswordField {...submit.field("password")} label="Password" chosen />
    <TextField
      helperText="Your company or team. You can rename it later."
      {...submit.field("institutionName")}
      label="Institution"
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
    label="Full name"
    autoComplete="name"
    required
    fullWidth
    slotProps={{ htmlInput: { maxLength: 200 } }}
  />
);
