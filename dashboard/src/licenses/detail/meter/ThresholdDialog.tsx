import { t } from "@lingui/core/macro";
import { api } from "../../../api/client";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useApiForm } from "../../../ui/form/useApiForm";
import type { LicenseDialogProps } from "../actions/dialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { AmountField } from "./AmountField";
import { amountOf } from "./amounts";

/** Sets the low-balance threshold. */
export function ThresholdDialog({ license, onClose }: LicenseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: { lowBalanceThreshold: String(license.lowBalanceThreshold ?? "") },
    send: async ({ lowBalanceThreshold }) => {
      await api.PUT("/api/licenses/{licenseId}/meter-settings", {
        params: { path: { licenseId: license.id } },
        body: { lowBalanceThreshold: amountOf(lowBalanceThreshold) },
      });
      notifyChanged(t`Low-balance warning saved.`);
    },
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Low-balance warning`}
      action={t`Save`}
      onClose={onClose}
      consequence={t`When the balance reaches this amount, your team is notified and webhooks receive meter.low_balance. Customers are not notified.`}
    >
      <AmountField
        {...form.field("lowBalanceThreshold")}
        license={license}
        label={t`Warn at`}
        demand={{ minimum: 0 }}
        helperText={t`Leave empty for no warning.`}
      />
    </ConfirmFormDialog>
  );
}
