import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { type ReactNode, useState } from "react";
import { serviceUrl } from "../../api/address";
import { $api, api, at } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { CopyField } from "../../ui/CopyField";
import { DescriptionList } from "../../ui/DescriptionList";
import { ROLE_LABELS } from "../../ui/labels";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { useSubmission } from "../../ui/useSubmission";
import type { Connection } from "./connection";
import { ProviderDialog, RolesDialog } from "./ConnectionDialogs";
import { Domains } from "./Domains";
import { Requirement } from "./Requirement";
import styles from "./sso.module.css";

/** The connection of the institution to its identity provider, step by step. */
export default function SingleSignOn({ institutionId }: { institutionId: string }) {
  const asked = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/sso",
    at({ institutionId }),
  );
  // The time of the connection that passed.
  const [tested, setTested] = useState<string>();
  if (asked.error) return <ProblemAlert error={asked.error} retry={() => void asked.refetch()} />;
  if (asked.isPending) return <Skeleton variant="rounded" height={420} />;
  const connection = asked.data ?? undefined;
  return (
    <>
      <Section
        title={t`Single sign-on`}
        help="single-sign-on"
        subtitle={t`Members sign in through your own OpenID Connect provider, such as Entra ID, Google Workspace, Okta or Keycloak.`}
      >
        <ol className={styles.steps}>
          <Step title={t`Register Licet at your provider`}>
            <Muted>{t`Create a web application there (OpenID Connect, with authorization code and refresh token), and enter:`}</Muted>
            <CopyField
              label={t`Redirect URI`}
              value={connection?.redirectUri ?? serviceUrl("/api/auth/sso/callback")}
            />
            <CopyField label={t`Scopes`} value="openid email profile" />
          </Step>
          <Step title={t`Enter the provider's data`}>
            <Provider institutionId={institutionId} connection={connection} />
          </Step>
          <Step title={t`Test the connection`}>
            <Test
              key={connection?.updatedAt}
              institutionId={institutionId}
              isConnected={connection !== undefined}
              onPassed={() => setTested(connection?.updatedAt)}
            />
          </Step>
          <Step title={t`Turn it on`}>
            <Muted>
              {t`People with an address in a confirmed domain can sign in through the provider. Its operator confirms a domain, because the provider can sign in anyone with an address in it.`}
            </Muted>
            {connection && (
              <>
                <Domains institutionId={institutionId} connection={connection} />
                <Roles institutionId={institutionId} connection={connection} />
                <Requirement
                  institutionId={institutionId}
                  connection={connection}
                  isTested={tested === connection.updatedAt}
                />
              </>
            )}
          </Step>
        </ol>
      </Section>
      {connection && <DisconnectSection institutionId={institutionId} />}
    </>
  );
}

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <Typography variant="subtitle1" component="h3">
      {title}
    </Typography>
    <Column gap="s" className={styles.step}>
      {children}
    </Column>
  </li>
);

interface ProviderProps {
  institutionId: string;
  connection: Connection | undefined;
}

function Provider({ institutionId, connection }: ProviderProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {connection ? (
        <DescriptionList
          facts={[
            [t`Issuer`, connection.issuer],
            [t`Client ID`, connection.clientId],
            [t`Client secret`, connection.hasClientSecret ? t`Set` : t`None`],
          ]}
        />
      ) : (
        <Muted>{t`Its issuer, and the client ID and secret that it shows once Licet is registered. Nothing changes for members yet.`}</Muted>
      )}
      <div>
        <Button variant="outlined" size="small" onClick={() => setOpen(true)}>
          {connection ? t`Change data` : t`Enter data`}
        </Button>
      </div>
      {isOpen && (
        <ProviderDialog
          institutionId={institutionId}
          connection={connection}
          onClose={() => setOpen(false)}
        />
      )}
    </>
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

interface TestProps {
  institutionId: string;
  isConnected: boolean;
  onPassed: () => void;
}

/** Asks the server whether the provider can be used. */
function Test({ institutionId, isConnected, onPassed }: TestProps) {
  const { attempt, run } = useSubmission();
  const [problem, setProblem] = useState<string | null>();
  const check = async () => {
    const { data } = await api.POST(
      "/api/institutions/{institutionId}/sso/check",
      at({ institutionId }),
    );
    setProblem(data?.problem ?? null);
    if (data?.usable) onPassed();
  };
  return (
    <>
      <Muted>{t`Licet reads the provider's configuration and its keys. Members notice nothing.`}</Muted>
      <div>
        <Button
          size="small"
          variant="outlined"
          disabled={!isConnected}
          loading={attempt.busy}
          onClick={() => void run(check)}
        >
          {t`Test connection`}
        </Button>
      </div>
      <div role="status">
        {attempt.error !== null && <ProblemAlert error={attempt.error} />}
        {problem === null && <Alert severity="success">{t`The provider can be used.`}</Alert>}
        {problem && (
          <Alert severity="error">
            {PROBLEMS[problem] ?? t`The provider sent an unexpected response.`}
          </Alert>
        )}
      </div>
    </>
  );
}

/** Which roles new members get. */
function Roles({ institutionId, connection }: ProviderProps & { connection: Connection }) {
  const [isOpen, setOpen] = useState(false);
  const { defaultRole, roleMap } = connection;
  const role = defaultRole === null ? t`Not admitted` : ROLE_LABELS[defaultRole];
  return (
    <Row gap="m" wraps>
      <span>
        {Object.keys(roleMap).length > 0
          ? t`Role of new members: by their groups, else ${role}`
          : t`Role of new members: ${role}`}
      </span>
      <Button size="small" onClick={() => setOpen(true)}>
        {t`Change roles`}
      </Button>
      {isOpen && (
        <RolesDialog
          institutionId={institutionId}
          connection={connection}
          onClose={() => setOpen(false)}
        />
      )}
    </Row>
  );
}

/** Disconnects the provider. */
function DisconnectSection({ institutionId }: { institutionId: string }) {
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
          onConfirm={() =>
            api.DELETE("/api/institutions/{institutionId}/sso", at({ institutionId }))
          }
          done={t`Identity provider disconnected.`}
        />
      )}
    </Section>
  );
}
