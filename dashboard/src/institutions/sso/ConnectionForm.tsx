import { t } from "@lingui/core/macro";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api } from "../../api/client";
import { CopyField } from "../../ui/CopyField";
import {
  Form,
  FormField,
  FormProblem,
  SubmitButton,
  useFormSubmission,
  useLineMessages,
} from "../../ui/Form";
import { ROLE_LABELS } from "../../ui/labels";
import { Section } from "../../ui/Section";
import {
  changeOf,
  draftOf,
  type Connection,
  type Draft,
  type Role,
  type SsoProps,
} from "./connection";
import { notify } from "../../ui/toasts/toasts";

/** What new members can be; nobody becomes an Owner through the provider. */
const ADMITTED: readonly Role[] = ["Viewer", "Member", "Admin"];

type Text = Exclude<keyof Draft, "enforced">;

/** The provider, the domains, and which roles people get. */
export function ConnectionForm({
  institutionId,
  connection,
  onChanged,
}: SsoProps & { connection: Connection | undefined }) {
  const before = draftOf(connection);
  const [draft, setDraft] = useState(before);
  const form = useFormSubmission(async () => {
    const params = { path: { institutionId } };
    await api.PUT("/api/institutions/{institutionId}/sso", { params, body: changeOf(draft) });
    await onChanged();
    notify(t`Single sign-on saved.`, { type: "success" });
  });
  const text = (name: Text) => ({
    name,
    value: draft[name],
    onValue: (value: string) => {
      setDraft({ ...draft, [name]: value });
    },
  });
  return (
    <Section
      title={t`Single sign-on`}
      help="single-sign-on"
      subtitle={t`Members sign in through your own OpenID Connect provider, such as Entra ID, Google Workspace, Okta or Keycloak.`}
    >
      <Form {...form}>
        <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
          <CopyField
            label={t`Redirect URI, to register at the provider`}
            value={connection?.redirectUri ?? `${location.origin}/api/auth/sso/callback`}
          />
          <FormField
            {...text("issuer")}
            label={t`Issuer`}
            helperText={t`For example https://login.example.com. Its configuration is read from /.well-known/openid-configuration.`}
            required
          />
          <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2, width: "100%" }}>
            <FormField {...text("clientId")} label={t`Client ID`} required />
            <FormField
              {...text("clientSecret")}
              type="password"
              autoComplete="new-password"
              label={t`Client secret`}
              helperText={connection?.hasClientSecret ? t`Leave empty to keep it.` : undefined}
            />
          </Stack>
          <DomainsField {...text("domains")} />
          <Typography variant="subtitle2">{t`Roles`}</Typography>
          <FormField
            {...text("defaultRole")}
            select
            label={t`Role of new members`}
            helperText={t`For people who match no entry below. Nobody becomes an Owner through the provider.`}
            slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
          >
            <MenuItem value="">{t`Not admitted`}</MenuItem>
            {ADMITTED.map((role) => (
              <MenuItem key={role} value={role}>
                {ROLE_LABELS[role]}
              </MenuItem>
            ))}
          </FormField>
          <FormField
            {...text("roleClaim")}
            label={t`Role claim`}
            helperText={t`The claim that holds groups or roles, for example groups or realm_access.roles. Optional.`}
          />
          <FormField
            {...text("roleMap")}
            label={t`Roles by value of the claim`}
            helperText={t`One per line, for example licensing-admins = Admin.`}
            multiline
            minRows={2}
          />
          <FormControlLabel
            label={t`Require single sign-on: passwords of members are refused`}
            control={
              <Switch
                checked={draft.enforced}
                onChange={(_, enforced) => {
                  setDraft({ ...draft, enforced });
                }}
              />
            }
          />
          <Typography variant="body2" color="textSecondary">
            {t`It takes effect once a domain is confirmed. Owners can still sign in with their password and a second factor, so that they get in while the provider is away.`}
          </Typography>
          <FormProblem />
          <SubmitButton disabled={JSON.stringify(draft) === JSON.stringify(before)}>
            {connection ? t`Save` : t`Connect`}
          </SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}

interface DomainsFieldProps {
  name: string;
  value: string;
  onValue: (value: string) => void;
}

function DomainsField(props: DomainsFieldProps) {
  const message = useLineMessages("domains");
  return (
    <FormField
      {...props}
      label={t`Email domains`}
      error={message !== undefined}
      helperText={message ?? t`One per line, for example example.com. Each has to be confirmed.`}
      multiline
      minRows={2}
      required
    />
  );
}
