import { api } from "../../../api/client";
import { dateTime } from "../../../ui/formats";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";

const hasEnded = (end: string | null) => end !== null && new Date(end) <= new Date();

export function ReinstateDialog({ license, onClose }: LicenseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const reinstate = async () => {
    await api.POST("/api/licenses/{licenseId}/reinstate", {
      params: { path: { licenseId: license.id } },
    });
    notifyChanged("License reinstated.");
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
              This ends the suspension of <b>{license.licenseName}</b>.
              {end !== null && hasEnded(end) && (
                <>
                  {" "}
                  It expired on {dateTime(end)}, so its status will be Expired until you renew it.
                </>
              )}
            </>
          }
          online="They work again from their next validation, on the same devices."
          offline="Existing files keep working as before, and new files can be downloaded again."
          undo="You can suspend the license again."
        />
      }
    />
  );
}
