import { useState } from "react";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { FormField } from "../../ui/Form";
import { number } from "../../ui/formats";
import { useIdempotencyKey } from "../../ui/useIdempotencyKey";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Item } from "./waiting";

interface GrantDialogProps {
  item: Item;
  onClose: () => void;
}

/** Adds to a balance that is low. */
export function GrantDialog({ item, onClose }: GrantDialogProps) {
  const licenseId = item.id ?? "";
  const [text, setText] = useState("");
  const keyFor = useIdempotencyKey();
  const notifyChanged = useNotifyChanged();
  const amount = Number(text);
  const isAmount = Number.isFinite(amount) && amount > 0;
  const grant = async () => {
    const body = { licenseId, amount };
    const header = { "Idempotency-Key": keyFor(body) };
    const { data } = await api.POST("/api/meter/grant", { params: { header }, body });
    const balance = number(data?.balance ?? (item.balance ?? 0) + amount);
    notifyChanged(`New balance of ${item.title}: ${balance}.`, takeBack);
  };
  const takeBack = () => {
    const body = { licenseId, amount: -amount, reason: "Grant taken back" };
    const header = { "Idempotency-Key": keyFor(body) };
    return api.POST("/api/meter/adjust", { params: { header }, body });
  };
  return (
    <ConfirmDialog
      title={`Grant to ${item.title}`}
      action="Grant"
      disabled={!isAmount}
      onConfirm={grant}
      onClose={onClose}
      consequence={`The balance is ${number(item.balance ?? 0)}. It increases immediately for all devices of the license, and the grant is recorded in the ledger.`}
    >
      <FormField
        name="amount"
        type="number"
        label="Amount"
        required
        autoFocus
        value={text}
        onValue={setText}
        slotProps={{ htmlInput: { min: 0, step: "any", inputMode: "decimal" } }}
        helperText={
          isAmount ? `New balance: ${number((item.balance ?? 0) + amount)}.` : "More than 0."
        }
      />
    </ConfirmDialog>
  );
}
