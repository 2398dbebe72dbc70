import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { GrantBalanceRequest } from "../../../api/checks";
import { api } from "../../../api/client";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import type { LicenseDialogProps } from "../actions/dialog";
import { ReasonField } from "../actions/ReasonField";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { AmountField } from "./AmountField";
import { amountOf, amountText, addToBalance } from "./amounts";
import { useIdempotencyKey } from "../../../ui/useIdempotencyKey";

const NOTHING = { amount: "", reason: "", externalReference: "" };

const isTooSmall = (typed: string): boolean => (amountOf(typed) ?? 1) <= 0;

/** Adds to the balance, for example after a payment. */
export function GrantDialog({ license, onClose }: LicenseDialogProps) {
  const keyFor = useIdempotencyKey();
  const notifyChanged = useNotifyChanged();
  const afterAdding = (typed: string) =>
    addToBalance(license.meterBalance ?? 0, amountOf(typed) ?? 0);
  const form = useApiForm({
    values: NOTHING,
    checks: GrantBalanceRequest,
    send: async ({ amount, reason, externalReference }) => {
      const body = {
        licenseId: license.id,
        amount: Number(amount),
        reason: reason.trim() || null,
        externalReference: externalReference.trim() || null,
      };
      const { data } = await api.POST("/api/meter/grant", {
        params: { header: { "Idempotency-Key": keyFor(body) } },
        body,
      });
      const balance = data?.balance ?? afterAdding(amount);
      notifyChanged(t`New balance: ${{ balance: amountText(balance, license) }}.`);
    },
  });
  const { control, field } = form;
  const typed = useWatch({ control, name: "amount" });
  return (
    <ConfirmFormDialog
      form={form}
      title={t({ message: "Grant", context: "verb" })}
      action={t({ message: "Grant", context: "verb" })}
      disabled={amountOf(typed) === null || isTooSmall(typed)}
      onClose={onClose}
      consequence={t`The balance increases immediately for all devices of the license. The grant is recorded in the ledger. To undo it, adjust the balance.`}
    >
      <AmountField
        {...field("amount")}
        license={license}
        label={t`Amount`}
        fault={(given) =>
          isTooSmall(given)
            ? t`Enter an amount above 0. To subtract, adjust the balance.`
            : undefined
        }
        helperText={t`New balance: ${{ balance: amountText(afterAdding(typed), license) }}.`}
      />
      <ReasonField {...field("reason")} helperText={t`Optional. Recorded in the ledger.`} />
      <FormField
        {...field("externalReference")}
        label={t`External reference`}
        helperText={t`Optional. For example an invoice or order number.`}
      />
    </ConfirmFormDialog>
  );
}
