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
    notifyChanged(`New balance: ${amountText(data?.balance ?? after, license)}.`);
  };
  return (
    <ConfirmDialog
      title="Adjust balance"
      action="Adjust"
      disabled={amount === null || amount === 0 || after < 0 || reason.trim() === ""}
      onConfirm={adjust}
      onClose={onClose}
      consequence="The balance changes immediately for all devices of the license. The adjustment and its reason are recorded in the ledger. To undo it, adjust again."
    >
      <AmountField
        license={license}
        name="amount"
        label="Amount"
        value={text}
        onChange={setText}
        error={
          after < 0
            ? `The balance cannot go below 0: subtract at most ${amountText(balance, license)}.`
            : undefined
        }
        helperText={`Use a negative amount to subtract. New balance: ${amountText(after, license)}.`}
      />
      <ReasonField
        value={reason}
        onChange={setReason}
        required
        helperText="Recorded in the ledger."
      />
    </ConfirmDialog>
  );
}
