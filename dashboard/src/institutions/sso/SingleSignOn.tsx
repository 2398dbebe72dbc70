import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { SsoChange } from "../../api/checks";
import { $api, api, at } from "../../api/client";
import { chosen, type DraftOf, fieldsOf, OPTIONAL_TEXT, TEXT } from "../../api/fields";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { CopyField } from "../../ui/CopyField";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { FormCheckbox } from "../../ui/form/FormCheckbox";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { type ApiForm, useApiForm } from "../../ui/form/useApiForm";
import { ROLE_LABELS } from "../../ui/labels";
import { Column, Row } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { notify } from "../../ui/toasts/toasts";
import { useInstitution } from "../../ui/useInstitution";
import { useSubmission } from "../../ui/useSubmission";
import styles from "./sso.module.css";
import { serviceUrl } from "../../api/address";
import { Muted } from "../../ui/Muted";

type Connection = Schemas["Sso"];
type Role = Schemas["Role"];

/** Props of each section of single sign-on. */
interface SsoProps {
  institutionId: string;
  onChanged: () => Promise<unknown>;
}

const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

const FIELDS = fieldsOf({
  issuer: TEXT,
  clientId: TEXT,
  domains: { read: (domains: string[] = []) => domains.join("\n"), send: linesOf },
  enforced: chosen(false),
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

interface Draft extends DraftOf<typeof FIELDS> {
  clientSecret: string;
}

/** The change that the server takes; an empty secret stays as it is. */
const changeOf = ({ clientSecret, ...draft }: Draft): Schemas["SsoChange"] => ({
  ...FIELDS.bodyOf(draft),
  ...(clientSecret && { clientSecret }),
});

/** The connection of the institution to its identity provider. */
export default function SingleSignOn({ institutionId }: { institutionId: string }) {
  const asked = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/sso",
    at({ institutionId }),
  );
  if (asked.error) return <ProblemAlert error={asked.error} retry={() => void asked.refetch()} />;
  if (asked.isPending) return <Skeleton variant="rounded" height={420} />;
  const connection = asked.data ?? undefined;
  const shared = { institutionId, onChanged: () => asked.refetch() };
  return (
    <>
      <ConnectionForm key={connection?.updatedAt ?? "new"} connection={connection} {...shared} />
      {connection && <DomainsSection connection={connection} {...shared} />}
      {connection && <DisconnectSection {...shared} />}
    </>
  );
}

/** What new members can be; nobody becomes an Owner through the provider. */
const ADMITTED: readonly Role[] = ["Viewer", "Member", "Admin"];

interface ConnectionFormProps extends SsoProps {
  connection: Connection | undefined;
}

/** The provider, the domains, and which roles people get. */
function ConnectionForm({ institutionId, connection, onChanged }: ConnectionFormProps) {
  const form = useApiForm({
    values: { ...FIELDS.draftOf(connection), clientSecret: "" },
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
      <Form form={form}>
        <Column gap="l">
          <CopyField
            label={t`Redirect URI, to register at the provider`}
            value={connection?.redirectUri ?? serviceUrl("/api/auth/sso/callback")}
          />
          <ProviderFields form={form} hasSecret={connection?.hasClientSecret ?? false} />
          <RoleFields form={form} />
          <FormCheckbox
            {...form.field("enforced")}
            look="switch"
            label={t`Require single sign-on: passwords of members are refused`}
          />
          <Muted>
            {t`It takes effect once a domain is confirmed. Owners can still sign in with their password and a second factor, so that they have access while the provider is unavailable.`}
          </Muted>
          <FormProblem />
          <div>
            <SubmitButton disabled={!form.formState.isDirty}>
              {connection ? t`Save` : t`Connect`}
            </SubmitButton>
          </div>
        </Column>
      </Form>
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
    </>
  );
}

type DomainsSectionProps = SsoProps & { connection: Connection };

/** Which domains count, and how to confirm the others; and whether the provider can be used. */
function DomainsSection({ institutionId, connection, onChanged }: DomainsSectionProps) {
  const [mailed, setMailed] = useState<string>();
  const [vouched, setVouched] = useState<string>();
  const { profile } = useInstitution();
  return (
    <Section
      title={t`Domains`}
      help="single-sign-on"
      subtitle={t`A domain takes effect once its operator confirms it, because the provider can sign in anyone with an address in it.`}
      actions={<CheckButton institutionId={institutionId} />}
    >
      <List disablePadding aria-label={t`Domains`}>
        {connection.domains.map((domain) => {
          const isConfirmed = connection.confirmedDomains.includes(domain);
          return (
            <ListItem key={domain} disableGutters divider className={styles.domain}>
              <ListItemText primary={domain} />
              <StatusChip status={isConfirmed ? "Confirmed" : "Unconfirmed"} />
              {!isConfirmed && (
                <Button
                  size="small"
                  aria-label={t`Confirm by email: ${domain}`}
                  onClick={() => setMailed(domain)}
                >
                  {t`Confirm by email`}
                </Button>
              )}
              {!isConfirmed && profile?.isSystemAdmin && (
                <Button
                  size="small"
                  aria-label={t`Mark as confirmed: ${domain}`}
                  onClick={() => setVouched(domain)}
                >
                  {t`Mark as confirmed`}
                </Button>
              )}
            </ListItem>
          );
        })}
      </List>
      {mailed && (
        <MailDomainDialog
          institutionId={institutionId}
          domain={mailed}
          onClose={() => setMailed(undefined)}
        />
      )}
      {vouched && (
        <VouchDialog
          institutionId={institutionId}
          domain={vouched}
          onChanged={onChanged}
          onClose={() => setVouched(undefined)}
        />
      )}
    </Section>
  );
}

interface VouchDialogProps extends SsoProps {
  domain: string;
  onClose: () => void;
}

function VouchDialog({ institutionId, domain, onChanged, onClose }: VouchDialogProps) {
  return (
    <ConfirmDialog
      title={t`Mark ${domain} as confirmed?`}
      action={t`Mark as confirmed`}
      consequence={t`From then on, this institution's identity provider can sign in as anyone with an address in ${domain}. Do this only if you know that the domain belongs to the institution.`}
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { institutionId } };
        await api.POST("/api/institutions/{institutionId}/sso/domains/confirm", {
          params,
          body: { domain },
        });
        await onChanged();
        notify(t`Domain confirmed.`, { type: "success" });
      }}
    />
  );
}

const PROBLEMS: Record<string, string> = {
  timeout: t`The provider did not respond in time.`,
  name: t`The host name of the issuer has no address.`,
  address: t`The host name of the issuer resolves to an address that is not public.`,
  redirect: t`The provider redirects, and redirects are not followed. Use the final URL as the issuer.`,
  secret: t`No master key of the service opens the client secret. Save the connection with the secret again.`,
  metadata: t`The provider's configuration is not that of this issuer, or names unusable URLs.`,
  keys: t`The provider's keys cannot be read.`,
  size: t`The provider's response is too long.`,
};

function CheckButton({ institutionId }: { institutionId: string }) {
  const { attempt, run } = useSubmission();
  const [problem, setProblem] = useState<string | null>();
  const check = async () => {
    const { data } = await api.POST(
      "/api/institutions/{institutionId}/sso/check",
      at({ institutionId }),
    );
    setProblem(data?.problem ?? null);
  };
  return (
    <Column gap="s" align="end">
      <Button
        size="small"
        variant="outlined"
        loading={attempt.busy}
        onClick={() => void run(check)}
      >
        {t`Check provider`}
      </Button>
      <div role="status">
        {attempt.error !== null && <ProblemAlert error={attempt.error} />}
        {problem === null && <Alert severity="success">{t`The provider can be used.`}</Alert>}
        {problem && (
          <Alert severity="error">
            {PROBLEMS[problem] ?? t`The provider sent an unexpected response.`}
          </Alert>
        )}
      </div>
    </Column>
  );
}

const MAILBOXES = ["admin", "administrator", "hostmaster", "postmaster", "webmaster"];

interface MailDomainDialogProps {
  institutionId: string;
  domain: string;
  onClose: () => void;
}

/** E-mails a token to the administrator of the domain. */
function MailDomainDialog({ institutionId, domain, onClose }: MailDomainDialogProps) {
  const addresses = MAILBOXES.map((name) => `${name}@${domain}`);
  const form = useApiForm({
    values: { email: `admin@${domain}` },
    send: async ({ email }) => {
      const params = { path: { institutionId } };
      const body = { domain, email };
      await api.POST("/api/institutions/{institutionId}/sso/domains/email", { params, body });
      notify(t`Email sent to ${email}.`, { type: "info" });
    },
  });
  return (
    <FormDialog form={form} title={t`Confirm ${domain}`} action={t`Send email`} onClose={onClose}>
      <DialogContentText>
        {t`The operator of the domain gets an email with a link that confirms it. Only these mailboxes can be used, because no one else can read them.`}
      </DialogContentText>
      <FormField
        {...form.field("email")}
        label={t`Mailbox`}
        options={addresses.map((address) => [address, address] as const)}
      />
    </FormDialog>
  );
}

/** Disconnects the provider. */
function DisconnectSection({ institutionId, onChanged }: SsoProps) {
  const [asks, setAsks] = useState(false);
  return (
    <Section
      title={t`Disconnect`}
      subtitle={t`Members sign in with their passwords again, and the domains are removed.`}
      actions={
        <Button color="error" variant="outlined" onClick={() => setAsks(true)}>
          {t`Disconnect provider`}
        </Button>
      }
    >
      {asks && (
        <ConfirmDialog
          title={t`Disconnect the identity provider?`}
          action={t`Disconnect provider`}
          danger
          consequence={t`Sessions that it opened end within 15 minutes. Members who have only signed in through it need “Forgot your password?” to set one.`}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            const params = { path: { institutionId } };
            await api.DELETE("/api/institutions/{institutionId}/sso", { params });
            await onChanged();
            notify(t`Identity provider disconnected.`, { type: "info" });
          }}
        />
      )}
    </Section>
  );
}
