import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { Loading } from "../../ui/Loading";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useSubmission } from "../../ui/useSubmission";
import { TabHeading } from "../../ui/TabHeading";
import { EmailEditor } from "./EmailEditor";
import {
  KINDS,
  originOf,
  templatePath,
  templatesPath,
  type Kind,
  type Owner,
  type Template,
} from "./template";

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
    return (
      <EmailEditor
        owner={owner}
        template={template}
        onClose={() => {
          setEdited(null);
        }}
      />
    );
  return (
    <Stack sx={{ gap: 1 }}>
      <TabHeading title={t`Emails`} help="emails">
        {children}
      </TabHeading>
      {data.templates.map((item) => (
        <Row
          key={item.kind}
          owner={owner}
          template={item}
          manage={manage}
          onEdit={() => {
            setEdited(item.kind);
          }}
        />
      ))}
    </Stack>
  );
}

interface RowProps {
  owner: Owner;
  template: Template;
  manage: boolean;
  onEdit: () => void;
}

function Row({ owner, template, manage, onEdit }: RowProps) {
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
    <Card component="section" aria-label={label} sx={{ p: 2 }}>
      <Stack
        direction={{ xs: "column", sm: "row" }}
        sx={{ gap: 2, alignItems: { sm: "center" }, justifyContent: "space-between" }}
      >
        <Stack>
          <Typography variant="subtitle1" component="h3">
            {label}
          </Typography>
          <Typography color="textSecondary">{when}</Typography>
          <Typography variant="body2" color="textSecondary">
            {originOf(template)}
          </Typography>
        </Stack>
        <Stack direction="row" sx={{ gap: 2, flexShrink: 0 }}>
          <FormControlLabel
            label={t`Sent automatically`}
            control={
              <Switch
                checked={template.effective.automatic}
                disabled={!manage || attempt.busy}
                onChange={(_, automatic) => {
                  void turn(automatic);
                }}
              />
            }
          />
          {manage && (
            <Button variant="outlined" aria-label={t`Edit ${label}`} onClick={onEdit}>
              {t`Edit`}
            </Button>
          )}
        </Stack>
      </Stack>
      {attempt.error !== null && <ProblemAlert error={attempt.error} />}
    </Card>
  );
}
