import TextField from "@mui/material/TextField";
import { PasswordField } from "../ui/PasswordField";
import type { useSubmit } from "../ui/useSubmit";

/** What the first person of an institution says of himself and of it. */
export const AccountFields = ({ submit }: { submit: ReturnType<typeof useSubmit> }) => (
  <>
    <TextField
      {...submit.field("email")}
      type="email"
      label="E-mail address"
      autoComplete="username"
      required
      fullWidth
    />
    <NameField submit={submit} />
    <PasswordField {...submit.field("password")} label="Password" chosen />
    <TextField
      helperText="Your company or team. It can be renamed."
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
