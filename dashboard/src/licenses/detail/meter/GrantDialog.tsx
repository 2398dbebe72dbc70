import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { GrantBalanceRequest } from "../../../api/checks";
import { api } from "../../../api/client";
import { textOrNull } from "../../../api/fields";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { useIdempotencyKey } from "../../../ui/useIdempotencyKey";
import { useUrlParams } from "../../../ui/useUrlParams";
import { type LicenseDialogProps, ReasonField } from "../actions/Consequences";
import { addToBalance, AmountField, amountOf, amountText } from "./amounts";

const NO_GRANT = { amount: "", reason: "", externalReference: "" };

const isTooSmall = (typed: string): boolean => (amountOf(typed) ?? 1) <= 0;

/** Adds to the balance, for example after a payment. */
export function GrantDialog({ license, onClose }: LicenseDialogProps) {
  const keyFor = useIdempotencyKey();
  const afterAdding = (typed: string) =>
    addToBalance(license.meterBalance ?? 0, amountOf(typed) ?? 0);
  const asked = useUrlParams().params.get("amount") ?? "";
  const form = useApiForm({
    values: { ...NO_GRANT, amount: amountOf(asked) === null ? "" : asked },
    checks: GrantBalanceRequest,
    send: async ({ amount, reason, externalReference }) => {
      const body = {
        licenseId: license.id,
        amount: Number(amount),
        reason: textOrNull(reason),
        externalReference: textOrNull(externalReference),
      };
      const { data } = await api.POST("/api/meter/grant", {
        params: { header: { "Idempotency-Key": keyFor(body) } },
        body,
      });
      return data?.balance ?? afterAdding(amount);
    },
    done: (_, balance) => t`New balance: ${{ balance: amountText(balance, license) }}.`,
  });
  const { control, field } = form;
  const typed = useWatch({ control, name: "amount" });
  return (
    <ConfirmFormDialog
      form={form}
      title={t({ message: "Grant", context: "verb" })}
      action={t({ message: "Grant", context: "verb" })}
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
        helperText={t`Optional. For example an invoice or order number.`}
      />
    </ConfirmFormDialog>
  );
}
