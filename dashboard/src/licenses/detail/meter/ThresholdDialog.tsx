import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import type { LicenseDialogProps } from "../actions/dialog";
import { useChanged } from "../../../ui/useChanged";
import { AmountField } from "./AmountField";
import { amountOf } from "./amounts";

/** From which balance on the vendor is warned. */
export function ThresholdDialog({ license, onClose }: LicenseDialogProps) {
  const [text, setText] = useState(String(license.lowBalanceThreshold ?? ""));
  const changed = useChanged();
  const save = async () => {
    await api.PUT("/api/licenses/{licenseId}/meter-settings", {
      params: { path: { licenseId: license.id } },
      body: { lowBalanceThreshold: amountOf(text) },
    });
    changed("The warning is saved.");
  };
  return (
    <ConfirmDialog
      title="Warning of a low balance"
      action="Save"
      onConfirm={save}
      onClose={onClose}
      consequence="When the balance falls to this amount, your team is notified and webhooks receive meter.low_balance. Customers notice nothing."
    >
      <AmountField
        license={license}
        name="lowBalanceThreshold"
        label="Warn at"
        value={text}
        onChange={setText}
        required={false}
        min={0}
        helperText="Leave it empty for no warning."
      />
    </ConfirmDialog>
  );
}
