import { api } from "../../../api/client";
import { dateTime } from "../../../ui/formats";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useChanged } from "../../../ui/useChanged";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";

const hasEnded = (end: string | null) => end !== null && new Date(end) <= new Date();

export function ReinstateDialog({ license, onClose }: LicenseDialogProps) {
  const changed = useChanged();
  const reinstate = async () => {
    await api.POST("/api/licenses/{licenseId}/reinstate", {
      params: { path: { licenseId: license.id } },
    });
    changed("The license is reinstated.");
  };
  const end = license.expirationDate;
  return (
    <ConfirmDialog
      title="Reinstate license"
      action="Reinstate license"
      onConfirm={reinstate}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <>
              The hold on <b>{license.licenseName}</b> is lifted.
              {end !== null && hasEnded(end) && (
                <> Its term ended on {dateTime(end)}, so it will be Expired until it is renewed.</>
              )}
            </>
          }
          online="They are let in again at their next check, on the devices that they had."
          offline="Files that customers have go on as before; new ones can be downloaded again."
          undo="Suspend the license again."
        />
      }
    />
  );
}
