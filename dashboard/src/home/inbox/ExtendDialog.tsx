import { t } from "@lingui/core/macro";
import { LicenseChange } from "../../api/checks";
import { $api, at } from "../../api/client";
import { ConfirmFormDialog } from "../../ui/ConfirmDialog";
import { dayFrom, dayOrNull, endOfDay, termFrom } from "../../ui/days";
import { useApiForm } from "../../ui/form/useApiForm";
import { date, dateTime, relative } from "../../ui/formats";
import { TermField } from "../../ui/TermField";
import { useExpireOn } from "../../ui/useExpireOn";
import { useUsualTerm } from "../../ui/useUsualTerm";
import type { Item } from "./waiting";

interface ItemDialogProps {
  item: Item;
  onClose: () => void;
}

function endText(end: string): string {
  const [moment, when] = [dateTime(end), relative(end)];
  return new Date(end) < new Date()
    ? t`The term ended on ${moment}, ${when}. The license works in its grace.`
    : t`The license expires on ${moment}, ${when}.`;
}

/** Gives a license that ends soon a later end. */
export default function ExtendDialog({ item, onClose }: ItemDialogProps) {
  const { title } = item;
  const customer = item.customerName ?? item.issuedTo;
  const id = item.id ?? "";
  const before = item.expirationDate ?? null;
  // One that has ended still works in its grace, or would not be here.
  const from = termFrom(before, true);
  const { data: license } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}",
    at({ licenseId: id }),
  );
  const usual = useUsualTerm(license);
  const expireOn = useExpireOn();
  const form = useApiForm({
    values: { expirationDate: usual ? dayFrom(from, usual) : "" },
    checks: LicenseChange,
    send: async ({ expirationDate }) => {
      const end = endOfDay(expirationDate);
      const told = end
        ? t`${title} expires on ${{ day: date(end) }}.`
        : t`${title} does not expire.`;
      await expireOn({ licenseId: id, end: dayOrNull(expirationDate), before, told });
    },
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={
        customer && customer !== title ? t`Extend ${title} of ${customer}` : t`Extend ${title}`
      }
      action={t`Extend license`}
      onClose={onClose}
      consequence={
        before && (
          <>
            {endText(before)}{" "}
            {t`Applications get the new expiration date with their next validation.`}
          </>
        )
      }
    >
      <TermField {...form.field("expirationDate")} from={from} usual={usual} required />
    </ConfirmFormDialog>
  );
}
