import { t } from "@lingui/core/macro";
import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/Form";
import type { LicenseDialogProps } from "../actions/dialog";
import { ReasonField } from "../actions/ReasonField";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { AmountField } from "./AmountField";
import { amountOf, amountText, addToBalance } from "./amounts";
import { useIdempotencyKey } from "../../../ui/useIdempotencyKey";

/** Adds to the balance, for example after a payment. */
export function GrantDialog({ license, onClose }: LicenseDialogProps) {
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const [reference, setReference] = useState("");
  const keyFor = useIdempotencyKey();
  const notifyChanged = useNotifyChanged();
  const amount = amountOf(text);
  const isTooSmall = amount !== null && amount <= 0;
  const after = addToBalance(license.meterBalance ?? 0, amount ?? 0);
  const grant = async () => {
    const body = {
      licenseId: license.id,
      amount: amount ?? 0,
      reason: reason.trim() || null,
      externalReference: reference.trim() || null,
    };
    const { data } = await api.POST("/api/meter/grant", {
      params: { header: { "Idempotency-Key": keyFor(body) } },
      body,
    });
    notifyChanged(t`New balance: ${{ balance: amountText(data?.balance ?? after, license) }}.`);
  };
  return (
    <ConfirmDialog
      title={t({ message: "Grant", context: "verb" })}
      action={t({ message: "Grant", context: "verb" })}
      disabled={amount === null || isTooSmall}
      onConfirm={grant}
      onClose={onClose}
      consequence={t`The balance increases immediately for all devices of the license. The grant is recorded in the ledger. To undo it, adjust the balance.`}
    >
      <AmountField
        license={license}
        name="amount"
        label={t`Amount`}
        value={text}
        onChange={setText}
        error={
          isTooSmall ? t`Enter an amount above 0. To subtract, adjust the balance.` : undefined
        }
        helperText={t`New balance: ${{ balance: amountText(after, license) }}.`}
      />
      <ReasonField
        value={reason}
        onChange={setReason}
        helperText={t`Optional. Recorded in the ledger.`}
      />
      <FormField
        name="externalReference"
        label={t`External reference`}
        value={reference}

        helperText={t`Optional. For example an invoice or order number.`}
        slotProps={{ htmlInput: { maxLength: 500 } }}
        onValue={setReference}
      />
    </ConfirmDialog>
  );
}
