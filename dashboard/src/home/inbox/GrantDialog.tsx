import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { GrantBalanceRequest } from "../../api/checks";
import { api } from "../../api/client";
import { ConfirmFormDialog } from "../../ui/ConfirmDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { number } from "../../ui/formats";
import { useIdempotencyKey } from "../../ui/useIdempotencyKey";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Item } from "./waiting";

interface GrantDialogProps {
  item: Item;
  onClose: () => void;
}

/** Adds to a balance that is low. */
export default function GrantDialog({ item, onClose }: GrantDialogProps) {
  const { title } = item;
  const licenseId = item.id ?? "";
  const before = item.balance ?? 0;
  const keyFor = useIdempotencyKey();
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: { amount: "" },
    checks: GrantBalanceRequest,
    send: async (given) => {
      const amount = Number(given.amount);
      const body = { licenseId, amount };
      const header = { "Idempotency-Key": keyFor(body) };
      const { data } = await api.POST("/api/meter/grant", { params: { header }, body });
      const balance = number(data?.balance ?? before + amount);
      notifyChanged(t`New balance of ${title}: ${balance}.`, () => takeBack(amount));
    },
  });
  const takeBack = (amount: number) => {
    const body = { licenseId, amount: -amount, reason: t`Grant taken back` };
    const header = { "Idempotency-Key": keyFor(body) };
    return api.POST("/api/meter/adjust", { params: { header }, body });
  };
  const amount = Number(useWatch({ control: form.control, name: "amount" }));
  const isAmount = Number.isFinite(amount) && amount > 0;
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Grant to ${title}`}
      action={t({ message: "Grant", context: "verb" })}
      onClose={onClose}
      consequence={t`The balance is ${{ balance: number(before) }}. It increases immediately for all devices of the license, and the grant is recorded in the ledger.`}
    >
      <FormField
        {...form.field("amount")}
        type="number"
        label={t`Amount`}
        autoFocus
        demand={{ minimum: 0 }}
        fault={(given) => (Number(given) > 0 ? undefined : t`Enter a number above 0.`)}
        input={{ step: "any", inputMode: "decimal" }}
        helperText={
          isAmount ? t`New balance: ${{ balance: number(before + amount) }}.` : t`More than 0.`
        }
      />
    </ConfirmFormDialog>
  );
}
