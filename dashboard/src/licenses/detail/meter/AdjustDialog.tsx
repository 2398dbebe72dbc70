import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { AdjustBalanceRequest } from "../../../api/checks";
import { api } from "../../../api/client";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useApiForm } from "../../../ui/form/useApiForm";
import type { LicenseDialogProps } from "../actions/dialog";
import { ReasonField } from "../actions/ReasonField";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { AmountField } from "./AmountField";
import { amountOf, amountText, addToBalance } from "./amounts";
import { useIdempotencyKey } from "../../../ui/useIdempotencyKey";

const NOTHING = { amount: "", reason: "" };

/** Adjusts the balance up or down. */
export function AdjustDialog({ license, onClose }: LicenseDialogProps) {
  const keyFor = useIdempotencyKey();
  const notifyChanged = useNotifyChanged();
  const balance = license.meterBalance ?? 0;
  const afterAdding = (typed: string) => addToBalance(balance, amountOf(typed) ?? 0);
  const form = useApiForm({
    values: NOTHING,
    checks: AdjustBalanceRequest,
    send: async ({ amount, reason }) => {
      const body = { licenseId: license.id, amount: Number(amount), reason: reason.trim() };
      const { data } = await api.POST("/api/meter/adjust", {
        params: { header: { "Idempotency-Key": keyFor(body) } },
        body,
      });
      const now = data?.balance ?? afterAdding(amount);
      notifyChanged(t`New balance: ${{ balance: amountText(now, license) }}.`);
    },
  });
  const { control, field } = form;
  const [typed, reason] = useWatch({ control, name: ["amount", "reason"] });
  const after = afterAdding(typed);
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Adjust balance`}
      action={t`Adjust`}
      disabled={!amountOf(typed) || after < 0 || reason.trim() === ""}
      onClose={onClose}
      consequence={t`The balance changes immediately for all devices of the license. The adjustment and its reason are recorded in the ledger. To undo it, adjust again.`}
    >
      <AmountField
        {...field("amount")}
        license={license}
        label={t`Amount`}
        fault={(given) =>
          afterAdding(given) < 0
            ? t`The balance cannot go below 0: subtract at most ${{ balance: amountText(balance, license) }}.`
            : undefined
        }
        helperText={t`Use a negative amount to subtract. New balance: ${{ balance: amountText(after, license) }}.`}
      />
      <ReasonField {...field("reason")} helperText={t`Recorded in the ledger.`} />
    </ConfirmFormDialog>
  );
}
