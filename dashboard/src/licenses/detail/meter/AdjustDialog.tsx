import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import type { LicenseDialogProps } from "../actions/dialog";
import { ReasonField } from "../actions/ReasonField";
import { useChanged } from "../../../ui/useChanged";
import { AmountField } from "./AmountField";
import { amountOf, amountText, moved } from "./amounts";
import { useIdempotencyKey } from "./useIdempotencyKey";

/** Corrects the balance, up or down. */
export function AdjustDialog({ license, onClose }: LicenseDialogProps) {
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const keyFor = useIdempotencyKey();
  const changed = useChanged();
  const balance = license.meterBalance ?? 0;
  const amount = amountOf(text);
  const after = moved(balance, amount ?? 0);
  const adjust = async () => {
    const body = { licenseId: license.id, amount: amount ?? 0, reason: reason.trim() };
    const { data } = await api.POST("/api/meter/adjust", {
      params: { header: { "Idempotency-Key": keyFor(body) } },
      body,
    });
    changed(`The balance is ${amountText(data?.balance ?? after, license)} now.`);
  };
  return (
    <ConfirmDialog
      title="Adjust the balance"
      action="Adjust"
      disabled={amount === null || amount === 0 || after < 0 || reason.trim() === ""}
      onConfirm={adjust}
      onClose={onClose}
      consequence="The balance changes at once, for all devices of the license. The ledger keeps the adjustment with its reason; to take it back, adjust again."
    >
      <AmountField
        license={license}
        name="amount"
        label="Amount"
        value={text}
        onChange={setText}
        error={
          after < 0
            ? `The balance cannot fall below 0: take ${amountText(balance, license)} at most.`
            : undefined
        }
        helperText={`Negative takes away. Balance afterward: ${amountText(after, license)}.`}
      />
      <ReasonField
        value={reason}
        onChange={setReason}
        required
        helperText="It stands in the ledger."
      />
    </ConfirmDialog>
  );
}
