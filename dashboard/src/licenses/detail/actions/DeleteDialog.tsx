import { useNotify } from "react-admin";
import { useNavigate } from "react-router";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { useFileLife } from "./useFileLife";

export function DeleteDialog({ license, onClose }: LicenseDialogProps) {
  const notify = useNotify();
  const navigate = useNavigate();
  const fileLife = useFileLife(license);
  const remove = async () => {
    await api.DELETE("/api/licenses/{licenseId}", {
      params: { path: { licenseId: license.id } },
    });
    notify("The license is deleted.", { type: "success" });
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
              <b>{license.licenseName}</b> goes with its devices, sessions, and access attempts. The
              ledger of its balance and the audit log stay.
            </>
          }
          online="Its key is unknown from now on: they are refused at their next check with the status LicenseNotFound."
          offline={`Files that customers have keep working offline ${fileLife}.`}
          undo="It cannot be undone. To end a license and keep its history in the list, revoke it instead."
        />
      }
    />
  );
}
