import { t } from "@lingui/core/macro";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { addMonths, endOfDay } from "../../ui/days";
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
  const [day, setDay] = useState(() => addMonths(before, 12));
  const notifyChanged = useNotifyChanged();
  const end = endOfDay(day);
  const extend = async () => {
    await extendTo(id, end);
    const told = end ? t`${title} expires on ${{ day: date(end) }}.` : t`${title} does not expire.`;
    notifyChanged(told, () => extendTo(id, before));
  };
  return (
    <ConfirmDialog
      title={t`Extend ${title}`}
      action={t`Extend license`}
      disabled={end === null}
      onConfirm={extend}
      onClose={onClose}
      consequence={
        before &&
        t`The license expires on ${{ moment: dateTime(before) }}, ${{ when: relative(before) }}. Applications get the new expiration date with their next validation.`
      }
    >
      <TermField from={before} day={day} onChange={setDay} required />
    </ConfirmDialog>
  );
}
