import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { date, dateTime, relative } from "../../../ui/formats";
import { needsTerm } from "../traits";
import { addMonths, endOfDay } from "../../../ui/days";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { TermField } from "../../../ui/TermField";

/** Renews a license or changes its expiration date. */
export function TermDialog({ license, onClose }: LicenseDialogProps) {
  const before = license.expirationDate;
  const [day, setDay] = useState(() => addMonths(before, 12));
  const notifyChanged = useNotifyChanged();
  const isExpired = license.status === "Expired";
  const end = endOfDay(day);
  const save = async () => {
    await api.PUT("/api/licenses/{licenseId}", {
      params: { path: { licenseId: license.id } },
      body: { expirationDate: end },
    });
    notifyChanged(end ? `License expires on ${date(end)}.` : "Expiration date removed.");
  };
  const isShorter = end !== null && (before === null || end < new Date(before).toISOString());
  return (
    <ConfirmDialog
      title={before === null ? "Set expiration date" : "Renew license"}
      action={
        before === null
          ? "Set expiration date"
          : isExpired
            ? "Renew license"
            : "Change expiration date"
      }
      onConfirm={save}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            before === null
              ? "The license does not expire."
              : `The license ${isExpired ? "expired" : "expires"} on ${dateTime(before)}, ${relative(before)}.`
          }
          online={
            isExpired
              ? "The license becomes Active again, and they work from their next validation."
              : isShorter
                ? "They run until the new expiration date, then they are rejected with the status Expired."
                : "They keep running and get the new expiration date with their next validation."
          }
          offline={
            isShorter
              ? "Existing files keep their expiration date until they are refreshed."
              : "Existing files contain the old expiration date. Applications that reach the server refresh them; send the others a new license.bin."
          }
          undo="You can change the expiration date again at any time."
        />
      }
    >
      <TermField from={before} day={day} onChange={setDay} required={needsTerm(license.type)} />
    </ConfirmDialog>
  );
}
