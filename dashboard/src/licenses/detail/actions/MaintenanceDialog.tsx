import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { LicenseChange } from "../../../api/checks";
import { api, at } from "../../../api/client";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { addMonths, dayOrNull, endOfDay } from "../../../ui/days";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { date } from "../../../ui/formats";
import { Consequences, type LicenseDialogProps } from "./Consequences";

/** Renews the maintenance of a license, or sets its end. */
export function MaintenanceDialog({ license, onClose }: LicenseDialogProps) {
  const before = license.updatesUntil;
  const save = (updatesUntil: string | null) =>
    api.PUT("/api/licenses/{licenseId}", {
      ...at({ licenseId: license.id }),
      body: { updatesUntil },
    });
  const form = useApiForm({
    values: { updatesUntil: addMonths(before, 12) },
    checks: LicenseChange,
    send: ({ updatesUntil }) => save(dayOrNull(updatesUntil)),
    done: () =>
      end ? t`Maintenance lasts until ${{ day: date(end) }}.` : t`Maintenance has no end.`,
    undo: () => save(before),
  });
  const end = endOfDay(useWatch({ control: form.control, name: "updatesUntil" }));
  const title = before === null ? t`Set maintenance` : t`Renew maintenance`;
  return (
    <ConfirmFormDialog
      form={form}
      title={title}
      action={title}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            before === null
              ? t`The license covers the releases of its major version, without an end.`
              : t`The license covers releases until ${{ day: date(before) }}.`
          }
          online={t`They get the new date with their next validation. Releases that were first published later are rejected, and security fixes for everyone are not.`}
          offline={t`Existing files contain the old date. Applications that reach the server refresh them; send the others a new license.bin.`}
          undo={t`You can change the date again at any time.`}
        />
      }
    >
      <FormField
        {...form.field("updatesUntil")}
        type="date"
        helperText={t`Empty: no end, and the major version decides.`}
      />
    </ConfirmFormDialog>
  );
}
