import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { LicenseChange } from "../../api/checks";
import { ConfirmFormDialog } from "../../ui/ConfirmDialog";
import { addMonths, endOfDay } from "../../ui/days";
import { useApiForm } from "../../ui/form/useApiForm";
import { date, dateTime, relative } from "../../ui/formats";
import { TermField } from "../../ui/TermField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { extendTo } from "./acts";
import type { Item } from "./waiting";

interface ItemDialogProps {
  item: Item;
  onClose: () => void;
}

/** Gives a license that ends soon a later end. */
export function ExtendDialog({ item, onClose }: ItemDialogProps) {
  const { title } = item;
  const id = item.id ?? "";
  const before = item.expirationDate ?? null;
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: { expirationDate: addMonths(before, 12) },
    checks: LicenseChange,
    send: async ({ expirationDate }) => {
      const end = endOfDay(expirationDate);
      await extendTo(id, end);
      const told = end
        ? t`${title} expires on ${{ day: date(end) }}.`
        : t`${title} does not expire.`;
      notifyChanged(told, () => extendTo(id, before));
    },
  });
  const day = useWatch({ control: form.control, name: "expirationDate" });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Extend ${title}`}
      action={t`Extend license`}
      disabled={endOfDay(day) === null}
      onClose={onClose}
      consequence={
        before &&
        t`The license expires on ${{ moment: dateTime(before) }}, ${{ when: relative(before) }}. Applications get the new expiration date with their next validation.`
      }
    >
      <TermField {...form.field("expirationDate")} from={before} required />
    </ConfirmFormDialog>
  );
}
