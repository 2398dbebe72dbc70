import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import { SsoChange } from "../../api/checks";
import { api } from "../../api/client";
import { CopyField } from "../../ui/CopyField";
import { FormCheckbox } from "../../ui/form/FormCheckbox";
import { FormField } from "../../ui/form/FormField";
import { SaveForm } from "../../ui/form/SaveForm";
import { useApiForm, type ApiForm } from "../../ui/form/useApiForm";
import { Row } from "../../ui/layout/layout";
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

interface ConnectionFormProps extends SsoProps {
  connection: Connection | undefined;
}

/** The provider, the domains, and which roles people get. */
export function ConnectionForm({ institutionId, connection, onChanged }: ConnectionFormProps) {
  const form = useApiForm({
    values: draftOf(connection),
    checks: SsoChange,
    send: async (draft) => {
      const params = { path: { institutionId } };
      await api.PUT("/api/institutions/{institutionId}/sso", { params, body: changeOf(draft) });
      await onChanged();
      notify(t`Single sign-on saved.`, { type: "success" });
    },
  });
  return (
    <Section
      title={t`Single sign-on`}
      help="single-sign-on"
      subtitle={t`Members sign in through your own OpenID Connect provider, such as Entra ID, Google Workspace, Okta or Keycloak.`}
    >
      <SaveForm form={form} action={connection ? t`Save` : t`Connect`}>
        <CopyField
          label={t`Redirect URI, to register at the provider`}
          value={connection?.redirectUri ?? `${location.origin}/api/auth/sso/callback`}
        />
        <ProviderFields form={form} hasSecret={connection?.hasClientSecret ?? false} />
        <RoleFields form={form} />
        <FormCheckbox
          {...form.field("enforced")}
          look="switch"
          label={t`Require single sign-on: passwords of members are refused`}
        />
        <Typography variant="body2" color="textSecondary">
          {t`It takes effect once a domain is confirmed. Owners can still sign in with their password and a second factor, so that they have access while the provider is unavailable.`}
        </Typography>
      </SaveForm>
    </Section>
  );
}

interface FieldsProps {
  form: ApiForm<Draft>;
}

function ProviderFields({ form: { field }, hasSecret }: FieldsProps & { hasSecret: boolean }) {
  return (
    <>
      <FormField
        {...field("issuer")}
        label={t`Issuer`}
        helperText={t`For example https://login.example.com. Its configuration is read from /.well-known/openid-configuration.`}
      />
      <Row gap="l" align="stretch" folds>
        <FormField {...field("clientId")} label={t`Client ID`} />
        <FormField
          {...field("clientSecret")}
          type="password"
          autoComplete="new-password"
          label={t`Client secret`}
          helperText={hasSecret ? t`Leave empty to keep it.` : undefined}
        />
      </Row>
      <FormField
        {...field("domains")}
        label={t`Email domains`}
        helperText={t`One per line, for example example.com. Each has to be confirmed.`}
        multiline
        minRows={2}
        required
      />
    </>
  );
}

function RoleFields({ form: { field } }: FieldsProps) {
  return (
    <>
      <Typography variant="subtitle2">{t`Roles`}</Typography>
      <FormField
        {...field("defaultRole")}
        select
        label={t`Role of new members`}
        helperText={t`For members who match no entry below. The provider cannot make anyone an Owner.`}
        slotProps={{ select: { displayEmpty: true } }}
      >
        <MenuItem value="">{t`Not admitted`}</MenuItem>
        {ADMITTED.map((role) => (
          <MenuItem key={role} value={role}>
            {ROLE_LABELS[role]}
          </MenuItem>
        ))}
      </FormField>
      <FormField
        {...field("roleClaim")}
        label={t`Role claim`}
        helperText={t`The claim that holds groups or roles, for example groups or realm_access.roles. Optional.`}
      />
      <FormField
        {...field("roleMap")}
        label={t`Roles by value of the claim`}
        helperText={t`One per line, for example licensing-admins = Admin.`}
        multiline
        minRows={2}
      />
    </>
  );
}
