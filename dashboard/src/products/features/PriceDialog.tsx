import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import { api } from "../../api/client";
import { FeaturePriceRequest } from "../../api/checks";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { Column, Row } from "../../ui/layout/layout";
import { HelpLink } from "../../ui/HelpLink";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Feature } from "./feature";
import { PriceHistory } from "./PriceHistory";
import styles from "./features.module.css";

const NONE = { tokenCost: "" };

/** Sets the price of a feature and shows its price history. */
export function PriceDialog({ feature, onClose }: { feature: Feature; onClose: () => void }) {
  const id = useId();
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: NONE,
    checks: FeaturePriceRequest,
    send: async ({ tokenCost }) => {
      await api.PUT("/api/meter/features/{featureId}/pricing", {
        params: { path: { featureId: feature.id } },
        body: { tokenCost: Number(tokenCost) },
      });
      notifyChanged(t`Price of ${feature.name} updated.`);
    },
  });
  const { isDirty, isSubmitting } = form.formState;
  return (
    <Dialog open onClose={isSubmitting ? undefined : onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t`Price of ${feature.name}`}</DialogTitle>
      <DialogContent>
        <Column gap="l">
          <Typography color="textSecondary">
            <Trans>
              Credit-Based licenses pay this number of credits per use.{" "}
              <HelpLink topic="metering">Usage-Based licenses</HelpLink> are charged the quantity,
              whatever the price. A new price applies from the next use; past charges do not change.
            </Trans>
          </Typography>
          <Form form={form} onDone={() => form.reset(NONE)}>
            <Column gap="s">
              <Row gap="s" align="start">
                <FormField
                  {...form.field("tokenCost")}
                  label={t`New price in credits`}
                  type="number"
                  autoFocus
                  demand={{ minimum: 0 }}
                  input={{ step: "any", inputMode: "decimal" }}
                  helperText={t`Up to 6 decimal places.`}
                />
                <SubmitButton className={styles.set} disabled={!isDirty}>
                  {t`Set price`}
                </SubmitButton>
              </Row>
              <FormProblem />
            </Column>
          </Form>
          <PriceHistory featureId={feature.id} />
        </Column>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  );
}
