import { t } from "@lingui/core/macro";
import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import type { LicenseDialogProps } from "../actions/dialog";
import { ReasonField } from "../actions/ReasonField";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { AmountField } from "./AmountField";
import { amountOf, amountText, addToBalance } from "./amounts";
import { useIdempotencyKey } from "../../../ui/useIdempotencyKey";

/** Adjusts the balance up or down. */
export function AdjustDialog({ license, onClose }: LicenseDialogProps) {
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const keyFor = useIdempotencyKey();
  const notifyChanged = useNotifyChanged();
  const balance = license.meterBalance ?? 0;
  const amount = amountOf(text);
  const after = addToBalance(balance, amount ?? 0);
  const adjust = async () => {
    const body = { licenseId: license.id, amount: amount ?? 0, reason: reason.trim() };
    const { data } = await api.POST("/api/meter/adjust", {
      params: { header: { "Idempotency-Key": keyFor(body) } },
      body,
    });
    notifyChanged(t`New balance: ${{ balance: amountText(data?.balance ?? after, license) }}.`);
  };
  return (
    <ConfirmDialog
      title={t`Adjust balance`}
      action={t`Adjust`}
      disabled={amount === null || amount === 0 || after < 0 || reason.trim() === ""}
      onConfirm={adjust}
      onClose={onClose}
      consequence={t`The balance changes immediately for all devices of the license. The adjustment and its reason are recorded in the ledger. To undo it, adjust again.`}
    >
      <AmountField
        license={license}
        name="amount"
        label={t`Amount`}
        value={text}
        onChange={setText}
        error={
          after < 0
            ? t`The balance cannot go below 0: subtract at most ${{ balance: amountText(balance, license) }}.`
            : undefined
        }
        helperText={t`Use a negative amount to subtract. New balance: ${{ balance: amountText(after, license) }}.`}
      />
      <ReasonField
        value={reason}
        onChange={setReason}
        required
        helperText={t`Recorded in the ledger.`}
      />
    </ConfirmDialog>
  );
}
