import { useNavigate } from "react-router";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { useOfflineValidity } from "./useOfflineValidity";
import { notify } from "../../../ui/toasts/toasts";

export function DeleteDialog({ license, onClose }: LicenseDialogProps) {
  const navigate = useNavigate();
  const offlineValidity = useOfflineValidity(license);
  const remove = async () => {
    await api.DELETE("/api/licenses/{licenseId}", {
      params: { path: { licenseId: license.id } },
    });
    notify("License deleted.", { type: "success" });
    await navigate("/licenses");
  };
  return (
    <ConfirmDialog
      title="Delete license"
      action="Delete license"
      danger
      typed={license.licenseName}
      onConfirm={remove}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <>
              This deletes <b>{license.licenseName}</b> with its devices, sessions and access
              attempts. Its ledger and the audit log are kept.
            </>
          }
          online="The license key no longer exists: they are rejected at their next validation with the status LicenseNotFound."
          offline={`Existing files keep working offline ${offlineValidity}.`}
          undo="This cannot be undone. To end the license but keep its history, revoke it instead."
        />
      }
    />
  );
}
