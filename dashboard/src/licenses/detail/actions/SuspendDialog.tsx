import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useChanged } from "../../../ui/useChanged";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { ReasonField } from "./ReasonField";
import { useFileLife } from "./useFileLife";

export function SuspendDialog({ license, onClose }: LicenseDialogProps) {
  const [reason, setReason] = useState("");
  const changed = useChanged();
  const fileLife = useFileLife(license);
  const suspend = async () => {
    await api.POST("/api/licenses/{licenseId}/suspend", {
      params: { path: { licenseId: license.id } },
      body: { reason: reason.trim() || null },
    });
    changed("The license is suspended.");
  };
  return (
    <ConfirmDialog
      title="Suspend license"
      action="Suspend license"
      onConfirm={suspend}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <>
              <b>{license.licenseName}</b> is put on hold, such as for an open invoice. Its term
              goes on meanwhile.
            </>
          }
          online="They are refused at their next check with the status Suspended. Live sessions end with their next heartbeat, and nothing more can be charged. Devices keep their seats."
          offline={`Files that customers have keep working offline ${fileLife}.`}
          undo="Reinstate the license at any time; applications are let in again at their next check."
        />
      }
    >
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
