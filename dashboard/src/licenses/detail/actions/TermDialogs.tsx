import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { LicenseChange } from "../../../api/checks";
import type { License } from "../../../api/types";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useApiForm } from "../../../ui/form/useApiForm";
import { date, dateTime, relative } from "../../../ui/formats";
import { needsTerm } from "../traits";
import { dayFrom, dayOrNull, endOfDay, termFrom } from "../../../ui/days";
import { useExpireOn } from "../../../ui/useExpireOn";
import { useUrlParams } from "../../../ui/useUrlParams";
import { useUsualTerm } from "../../../ui/useUsualTerm";
import { Consequences, type LicenseDialogProps } from "./Consequences";
import { TermField } from "../../../ui/TermField";
import { api, at } from "../../../api/client";
import { DateField } from "../../../ui/dates/DateField";

/** When the license expires, or did. */
function endText(end: string, isExpired: boolean, isKept: boolean): string {
  const [moment, distance] = [dateTime(end), relative(end)];
  if (isKept) return t`The term ended on ${moment}, ${distance}; the license keeps older releases.`;
  if (isExpired) return t`The license expired on ${moment}, ${distance}.`;
  return new Date(end) < new Date()
    ? t`The term ended on ${moment}, ${distance}. The license works in its grace.`
    : t`The license expires on ${moment}, ${distance}.`;
}

const startOf = ({ expirationDate: end, inGraceUntil }: License): string | null =>
  termFrom(end, inGraceUntil !== null);

/** Extends a license, or sets its expiration date. */
export function TermDialog({ license, onClose }: LicenseDialogProps) {
  const before = license.expirationDate;
  const expireOn = useExpireOn();
  const isExpired = license.status === "Expired";
  const asked = useUrlParams().params.get("until") ?? "";
  const from = startOf(license);
  const usual = useUsualTerm(license);
  // What never ends keeps no end.
  const proposed = before !== null && usual ? dayFrom(from, usual) : "";
  const form = useApiForm({
    values: { expirationDate: endOfDay(asked) ? asked : proposed },
    checks: LicenseChange,
    send: async ({ expirationDate }) => {
      const told = end ? t`License expires on ${{ day: date(end) }}.` : t`Expiration date removed.`;
      await expireOn({ licenseId: license.id, end: dayOrNull(expirationDate), before, told });
    },
  });
  const end = endOfDay(useWatch({ control: form.control, name: "expirationDate" }));
  const isShorter = end !== null && (before === null || end < new Date(before).toISOString());
  return (
    <ConfirmFormDialog
      form={form}
      title={before === null ? t`Set end date` : t`Extend license`}
      action={before === null ? t`Set end date` : t`Extend license`}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            before === null
              ? t`The license does not expire.`
              : endText(before, isExpired, license.inFallback)
          }
          online={
            isExpired
              ? t`The license becomes Active again, and they work from their next validation.`
              : isShorter
                ? t`They run until the new expiration date, then they are rejected with the status Expired.`
                : t`They keep running and get the new expiration date with their next validation.`
          }
          offline={
            isShorter
              ? t`Existing files keep their expiration date until they are refreshed.`
              : t`Existing files contain the old expiration date. Applications that reach the server refresh them; send the others a new license.bin.`
          }
          undo={t`You can change the expiration date again at any time.`}
        />
      }
    >
      <TermField
        {...form.field("expirationDate")}
        from={from}
        usual={usual}
        // Without the usual term, which is still asked for, empty does not mean that it never ends.
        required={needsTerm(license.type) || before === null || usual === undefined}
      />
    </ConfirmFormDialog>
  );
}

/** Renews the maintenance of a license, or sets its end. */
export function MaintenanceDialog({ license, onClose }: LicenseDialogProps) {
  const before = license.updatesUntil;
  const from = termFrom(before, false);
  const save = (updatesUntil: string | null) =>
    api.PUT("/api/licenses/{licenseId}", {
      ...at({ licenseId: license.id }),
      body: { updatesUntil },
    });
  const form = useApiForm({
    values: { updatesUntil: dayFrom(from, { months: 12 }) },
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
      <DateField
        {...form.field("updatesUntil")}
        from={from}
        helperText={t`Empty: no end, and the major version decides.`}
      />
    </ConfirmFormDialog>
  );
}
