import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Column, Row } from "../../ui/layout/layout";
import { Loading } from "../../ui/Loading";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import { settingsPath } from "../../ui/paths";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { TabHeading } from "../../ui/Section";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useSubmission } from "../../ui/useSubmission";
import type { TabProps } from "../parts/TabProps";
import { EmailEditor } from "./EmailEditor";
import styles from "./emails.module.css";
import {
  isOwn,
  type Kind,
  KINDS,
  originOf,
  type Owner,
  type Template,
  templatePath,
  templatesPath,
} from "./template";

/** The emails that customers get about licenses of a product. */
export const EmailsTab = ({ product, manage }: TabProps) => (
  <EmailTemplates owner={{ productId: product.id }} manage={manage}>
    {t`Emails to customers about their licenses, in your words and their language.`}
    {manage && (
      <>
        {" "}
        <Trans>
          Texts for all products are in the{" "}
          <PageLink to={settingsPath(product.institutionId, "emails")}>settings</PageLink>.
        </Trans>
      </>
    )}
  </EmailTemplates>
);

interface EmailTemplatesProps {
  owner: Owner;
  manage: boolean;
  /** What the texts are for. */
  children: ReactNode;
}

/** The emails that customers get about licenses of a product, or of all without texts of their own. */
export function EmailTemplates({ owner, manage, children }: EmailTemplatesProps) {
  const [edited, setEdited] = useState<Kind | null>(null);
  const path = templatesPath(owner);
  const { data, error, refetch } = useQuery({
    queryKey: ["get", path],
    queryFn: () => request<Schemas["MailTemplates"]>("GET", path),
  });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const template = data.templates.find(({ kind }) => kind === edited);
  if (template)
    return <EmailEditor owner={owner} template={template} onClose={() => setEdited(null)} />;
  return (
    <Column gap="s">
      <TabHeading title={t`Emails`} help="emails">
        {children}
      </TabHeading>
      {data.templates.map((item) => (
        <Email
          key={item.kind}
          owner={owner}
          template={item}
          manage={manage}
          onEdit={() => setEdited(item.kind)}
        />
      ))}
    </Column>
  );
}

interface EmailProps {
  owner: Owner;
  template: Template;
  manage: boolean;
  onEdit: () => void;
}

function Email({ owner, template, manage, onEdit }: EmailProps) {
  const { label, when } = KINDS[template.kind];
  const notifyChanged = useNotifyChanged();
  const { attempt, run } = useSubmission();
  const turn = (automatic: boolean) =>
    run(async () => {
      await request("PUT", templatePath(owner, template.kind), { automatic });
      notifyChanged(
        automatic ? t`${label}: sent automatically.` : t`${label}: sent on request only.`,
      );
    });
  return (
    <Card component="section" aria-label={label} className={styles.email}>
      <Row gap="l" place="apart" folds>
        <div>
          <Typography variant="subtitle1" component="h3">
            {label}
          </Typography>
          <Typography color="textSecondary">{when}</Typography>
          <Muted>{originOf(template)}</Muted>
        </div>
        <Row gap="l" align="stretch" className={styles.switch}>
          <FormControlLabel
            label={t`Sent automatically`}
            control={
              <Switch
                checked={template.effective.automatic}
                disabled={!manage || attempt.busy}
                onChange={(_, automatic) => void turn(automatic)}
              />
            }
          />
          {manage && isOwn(template) && (
            <ResetEmail path={templatePath(owner, template.kind)} label={label} />
          )}
          {manage && (
            <Button variant="outlined" aria-label={t`Edit ${label}`} onClick={onEdit}>
              {t`Edit`}
            </Button>
          )}
        </Row>
      </Row>
      {attempt.error !== null && <ProblemAlert error={attempt.error} />}
    </Card>
  );
}

interface ResetEmailProps {
  /** The template. */
  path: string;
  label: string;
}

/** Deletes a template, so that the one of the institution or the built-in one is used again. */
function ResetEmail({ path, label }: ResetEmailProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button aria-label={t`Reset ${label}`} onClick={() => setIsAsking(true)}>
        {t`Reset`}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Reset email`}
          action={t`Reset email`}
          danger
          consequence={t`Your text is deleted in all languages, with its sender, and this cannot be undone. The standard text is used from now on.`}
          onConfirm={() => request("DELETE", path)}
          done={t`${label}: reset.`}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
