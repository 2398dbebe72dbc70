import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import { useState } from "react";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Column } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { useInstitution } from "../../ui/useInstitution";
import { useSubmission } from "../../ui/useSubmission";
import type { Connection, SsoProps } from "./connection";
import { MailDomainDialog } from "./MailDomainDialog";
import styles from "./sso.module.css";
import { notify } from "../../ui/toasts/toasts";

type DomainsSectionProps = SsoProps & { connection: Connection };

/** Which domains count, and how to confirm the others; and whether the provider can be used. */
export function DomainsSection({ institutionId, connection, onChanged }: DomainsSectionProps) {
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
      consequence={t`From then on, this institution's identity provider signs people in as anybody with an address in ${domain}. Do this only if you know that the domain is the institution's.`}
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
  timeout: t`The provider did not answer within seconds.`,
  name: t`The host name of the issuer has no address.`,
  address: t`The issuer leads to an address that is not public.`,
  redirect: t`The provider redirects, which is not followed. Use the final URL as issuer.`,
  metadata: t`The provider's configuration is not that of this issuer, or names unusable URLs.`,
  keys: t`The provider's keys cannot be read.`,
  size: t`The provider's answer is too long.`,
};

function CheckButton({ institutionId }: { institutionId: string }) {
  const { attempt, run } = useSubmission();
  const [problem, setProblem] = useState<string | null>();
  const check = async () => {
    const { data } = await api.POST("/api/institutions/{institutionId}/sso/check", {
      params: { path: { institutionId } },
    });
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
            {PROBLEMS[problem] ?? t`The provider did not answer as it should.`}
          </Alert>
        )}
      </div>
    </Column>
  );
}
