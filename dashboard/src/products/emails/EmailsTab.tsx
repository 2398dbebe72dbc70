import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { $api, api } from "../../api/client";
import { Loading } from "../../ui/Loading";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useSubmission } from "../../ui/useSubmission";
import { TabHeading } from "../../ui/TabHeading";
import type { TabProps } from "../parts/TabProps";
import { EmailEditor } from "./EmailEditor";
import { KINDS, originOf, TEMPLATE, TEMPLATES, type Kind, type Template } from "./template";

/** The emails that customers get about licenses of a product. */
export function EmailsTab({ product, manage }: TabProps) {
  const [edited, setEdited] = useState<Kind | null>(null);
  const params = { path: { productId: product.id } };
  const { data, error, refetch } = $api.useQuery("get", TEMPLATES, { params });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const template = data.templates.find(({ kind }) => kind === edited);
  if (template)
    return (
      <EmailEditor
        productId={product.id}
        template={template}
        onClose={() => {
          setEdited(null);
        }}
      />
    );
  return (
    <Stack sx={{ gap: 1 }}>
      <TabHeading title={t`Emails`} help="emails">
        {t`What customers are told about their licenses, in your words and their language.`}
      </TabHeading>
      {data.templates.map((item) => (
        <Row
          key={item.kind}
          productId={product.id}
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
  productId: string;
  template: Template;
  manage: boolean;
  onEdit: () => void;
}

function Row({ productId, template, manage, onEdit }: RowProps) {
  const { label, when } = KINDS[template.kind];
  const notifyChanged = useNotifyChanged();
  const { attempt, run } = useSubmission();
  const turn = (automatic: boolean) =>
    run(async () => {
      const params = { path: { productId, kind: template.kind.toLowerCase() } };
      await api.PUT(TEMPLATE, { params, body: { automatic } });
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
