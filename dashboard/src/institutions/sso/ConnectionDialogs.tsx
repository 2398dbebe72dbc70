import { t } from "@lingui/core/macro";
import { SsoChange } from "../../api/checks";
import { api, at } from "../../api/client";
import { type DraftOf, fieldsOf, OPTIONAL_TEXT, TEXT } from "../../api/fields";
import type { Schemas } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { ROLE_LABELS } from "../../ui/labels";
import type { Connection } from "./connection";

type Role = Schemas["Role"];

const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

const PROVIDER = fieldsOf({
  issuer: TEXT,
  clientId: TEXT,
  domains: { read: (domains: string[] = []) => domains.join("\n"), send: linesOf },
});

interface ProviderDraft extends DraftOf<typeof PROVIDER> {
  clientSecret: string;
}

/** The change that the server takes; an empty secret stays as it is. */
const changeOf = ({ clientSecret, ...draft }: ProviderDraft): Schemas["SsoChange"] => ({
  ...PROVIDER.bodyOf(draft),
  ...(clientSecret && { clientSecret }),
});

interface ConnectionDialogProps {
  institutionId: string;
  connection: Connection | undefined;
  onClose: () => void;
}

/** What the provider has told of itself and of the service, and whose addresses it is for. */
export function ProviderDialog({ institutionId, connection, onClose }: ConnectionDialogProps) {
  const form = useApiForm({
    values: { ...PROVIDER.draftOf(connection), clientSecret: "" },
    checks: SsoChange,
    send: (draft) =>
      api.PUT("/api/institutions/{institutionId}/sso", {
        ...at({ institutionId }),
        body: changeOf(draft),
      }),
    done: t`Provider saved. Test it next.`,
  });
  const { field } = form;
  return (
    <FormDialog
      form={form}
      title={t`Data of the provider`}
      action={connection ? t`Save` : t`Connect`}
      onClose={onClose}
    >
      <FormField
        {...field("issuer")}
        autoFocus
        required
        helperText={t`For example https://login.example.com. Its configuration is read from /.well-known/openid-configuration.`}
      />
      <FormField {...field("clientId")} label={t`Client ID`} required />
      <FormField
        {...field("clientSecret")}
        type="password"
        autoComplete="new-password"
        label={t`Client secret`}
        helperText={connection?.hasClientSecret ? t`Leave empty to keep it.` : undefined}
      />
      <FormField
        {...field("domains")}
        label={t`Email domains`}
        helperText={t`One per line, for example example.com. Each has to be confirmed.`}
        multiline
        minRows={2}
        required
      />
    </FormDialog>
  );
}

const ROLES = fieldsOf({
  defaultRole: {
    read: (role: Role | null = "Viewer"): string => role ?? "",
    send: (role: string) => (role || null) as Role | null,
  },
  roleClaim: OPTIONAL_TEXT,
  roleMap: {
    read: (map: Record<string, Role> = {}) =>
      Object.entries(map)
        .map(([value, role]) => `${value} = ${role}`)
        .join("\n"),
    send: (text: string) =>
      Object.fromEntries(
        linesOf(text).map((line) => {
          const at = line.lastIndexOf("=");
          return [line.slice(0, at).trim(), line.slice(at + 1).trim() as Role];
        }),
      ),
  },
});

/** What new members can be; nobody becomes an Owner through the provider. */
const ADMITTED: readonly Role[] = ["Viewer", "Member", "Admin"];

interface RolesDialogProps extends ConnectionDialogProps {
  connection: Connection;
}

/** Which roles people get who come through the provider. */
export function RolesDialog({ institutionId, connection, onClose }: RolesDialogProps) {
  const form = useApiForm({
    values: ROLES.draftOf(connection),
    checks: SsoChange,
    send: (draft) =>
      api.PUT("/api/institutions/{institutionId}/sso", {
        ...at({ institutionId }),
        body: ROLES.bodyOf(draft),
      }),
    done: t`Roles saved.`,
  });
  const { field } = form;
  return (
    <FormDialog form={form} title={t`Roles of new members`} action={t`Save`} onClose={onClose}>
      <FormField
        {...field("defaultRole")}
        label={t`Role of new members`}
        helperText={t`For members who match no entry below. The provider cannot make anyone an Owner.`}
        slotProps={{ select: { displayEmpty: true } }}
        options={[
          ["", t`Not admitted`],
          ...ADMITTED.map((role) => [role, ROLE_LABELS[role]] as const),
        ]}
      />
      <FormField
        {...field("roleClaim")}
        helperText={t`The claim that holds groups or roles, for example groups or realm_access.roles. Optional.`}
      />
      <FormField
        {...field("roleMap")}
        label={t`Roles by value of the claim`}
        helperText={t`One per line, for example licensing-admins = Admin.`}
        multiline
        minRows={2}
      />
    </FormDialog>
  );
}
