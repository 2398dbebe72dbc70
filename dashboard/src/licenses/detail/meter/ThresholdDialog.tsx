import { t } from "@lingui/core/macro";
import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import type { LicenseDialogProps } from "../actions/dialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { AmountField } from "./AmountField";
import { amountOf } from "./amounts";

/** Sets the low-balance threshold. */
export function ThresholdDialog({ license, onClose }: LicenseDialogProps) {
  const [text, setText] = useState(String(license.lowBalanceThreshold ?? ""));
  const notifyChanged = useNotifyChanged();
  const save = async () => {
    await api.PUT("/api/licenses/{licenseId}/meter-settings", {
      params: { path: { licenseId: license.id } },
      body: { lowBalanceThreshold: amountOf(text) },
    });
    notifyChanged(t`Low-balance warning saved.`);
  };
  return (
    <ConfirmDialog
      title={t`Low-balance warning`}
      action={t`Save`}
      onConfirm={save}
      onClose={onClose}
      consequence={t`When the balance reaches this amount, your team is notified and webhooks receive meter.low_balance. Customers are not notified.`}
    >
      <AmountField
        license={license}
        name="lowBalanceThreshold"
        label={t`Warn at`}
        value={text}
        onChange={setText}
        required={false}
        min={0}
        helperText={t`Leave empty for no warning.`}
      />
    </ConfirmDialog>
  );
}
