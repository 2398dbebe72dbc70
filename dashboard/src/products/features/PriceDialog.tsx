import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useId, useState } from "react";
import { api } from "../../api/client";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { HelpLink } from "../../ui/HelpLink";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Feature } from "./feature";
import { PriceHistory } from "./PriceHistory";

/** Sets the price of a feature and shows its price history. */
export function PriceDialog({ feature, onClose }: { feature: Feature; onClose: () => void }) {
  const id = useId();
  const notifyChanged = useNotifyChanged();
  const [cost, setCost] = useState("");
  const form = useFormSubmission(async () => {
    await api.PUT("/api/meter/features/{featureId}/pricing", {
      params: { path: { featureId: feature.id } },
      body: { tokenCost: Number(cost) },
    });
    setCost("");
    notifyChanged(t`Price of ${feature.name} updated.`);
  });
  return (
    <Dialog open onClose={form.attempt.busy ? undefined : onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t`Price of ${feature.name}`}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2 }}>
          <Typography color="textSecondary">
            <Trans>
              Credit-Based licenses pay this number of credits per use.{" "}
              <HelpLink topic="metering">Usage-Based licenses</HelpLink> are charged the quantity,
              whatever the price. A new price applies from the next use; past charges do not change.
            </Trans>
          </Typography>
          <Form {...form}>
            <Stack direction="row" sx={{ gap: 1, alignItems: "flex-start", mb: 1 }}>
              <FormField
                name="tokenCost"
                label={t`New price in credits`}
                type="number"
                required
                autoFocus
                slotProps={{ htmlInput: { min: 0, step: "any", inputMode: "decimal" } }}
                value={cost}
                onValue={setCost}
                helperText={t`Up to 6 decimal places.`}
              />
              <SubmitButton disabled={cost === ""} sx={{ minHeight: 40, whiteSpace: "nowrap" }}>
                {t`Set price`}
              </SubmitButton>
            </Stack>
            <FormProblem />
          </Form>
          <PriceHistory featureId={feature.id} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  );
}
