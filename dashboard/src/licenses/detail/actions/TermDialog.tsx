import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { date, dateTime, relative } from "../../../ui/formats";
import { needsTerm } from "../facts";
import { endOfDay } from "../../models";
import { later } from "../term";
import { useChanged } from "../../../ui/useChanged";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { TermField } from "./TermField";

/** Renews a license, or changes its term otherwise. */
export function TermDialog({ license, onClose }: LicenseDialogProps) {
  const before = license.expirationDate;
  const [day, setDay] = useState(() => later(before, 12));
  const changed = useChanged();
  const isExpired = license.status === "Expired";
  const end = endOfDay(day);
  const save = async () => {
    await api.PUT("/api/licenses/{licenseId}", {
      params: { path: { licenseId: license.id } },
      body: { expirationDate: end },
    });
    changed(end ? `The license runs until ${date(end)}.` : "The license has no end now.");
  };
  const isShorter = end !== null && (before === null || end < new Date(before).toISOString());
  return (
    <ConfirmDialog
      title={before === null ? "Set an end" : "Renew license"}
      action={before === null ? "Set the end" : isExpired ? "Renew license" : "Change the term"}
      onConfirm={save}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            before === null
              ? "The license has no end at present."
              : `The term ${isExpired ? "ended" : "ends"} on ${dateTime(before)}, ${relative(before)}.`
          }
          online={
            isExpired
              ? "The license becomes Active again: they are let in at their next check."
              : isShorter
                ? "They run until the new end, then they are refused with the status Expired."
                : "They go on without a break and read the new end at their next check."
          }
          offline={
            isShorter
              ? "Files that customers have keep the end that they name until they are refreshed."
              : "Files that customers have name the old end. Applications that reach the server refresh them; for others, hand out a new license.bin."
          }
          undo="The term can be changed again at any time."
        />
      }
    >
      <TermField from={before} day={day} onChange={setDay} required={needsTerm(license.type)} />
    </ConfirmDialog>
  );
}
