import { t } from "@lingui/core/macro";
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
  const { title } = item;
  const licenseId = item.id ?? "";
  const before = item.balance ?? 0;
  const [text, setText] = useState("");
  const keyFor = useIdempotencyKey();
  const notifyChanged = useNotifyChanged();
  const amount = Number(text);
  const isAmount = Number.isFinite(amount) && amount > 0;
  const grant = async () => {
    const body = { licenseId, amount };
    const header = { "Idempotency-Key": keyFor(body) };
    const { data } = await api.POST("/api/meter/grant", { params: { header }, body });
    const balance = number(data?.balance ?? before + amount);
    notifyChanged(t`New balance of ${title}: ${balance}.`, takeBack);
  };
  const takeBack = () => {
    const body = { licenseId, amount: -amount, reason: t`Grant taken back` };
    const header = { "Idempotency-Key": keyFor(body) };
    return api.POST("/api/meter/adjust", { params: { header }, body });
  };
  return (
    <ConfirmDialog
      title={t`Grant to ${title}`}
      action={t({ message: "Grant", context: "verb" })}
      disabled={!isAmount}
      onConfirm={grant}
      onClose={onClose}
      consequence={t`The balance is ${{ balance: number(before) }}. It increases immediately for all devices of the license, and the grant is recorded in the ledger.`}
    >
      <FormField
        name="amount"
        type="number"
        label={t`Amount`}
        required
        autoFocus
        value={text}
        onValue={setText}
        slotProps={{ htmlInput: { min: 0, step: "any", inputMode: "decimal" } }}
        helperText={
          isAmount ? t`New balance: ${{ balance: number(before + amount) }}.` : t`More than 0.`
        }
      />
    </ConfirmDialog>
  );
}
