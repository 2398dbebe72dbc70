import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useChanged } from "../../../ui/useChanged";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { ReasonField } from "./ReasonField";
import { useFileLife } from "./useFileLife";

export function RevokeDialog({ license, onClose }: LicenseDialogProps) {
  const [reason, setReason] = useState("");
  const changed = useChanged();
  const fileLife = useFileLife(license);
  const revoke = async () => {
    await api.POST("/api/licenses/{licenseId}/revoke", {
      params: { path: { licenseId: license.id } },
      body: { reason: reason.trim() || null },
    });
    changed("The license is revoked.");
  };
  return (
    <ConfirmDialog
      title="Revoke license"
      action="Revoke license"
      danger
      typed={license.licenseName}
      onConfirm={revoke}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <>
              <b>{license.licenseName}</b> ends for good.
            </>
          }
          online="They are refused at their next check with the status Revoked. Live sessions end with their next heartbeat, and nothing more can be charged."
          offline={`Files that customers have keep working offline ${fileLife}. New ones are not handed out.`}
          undo="It cannot be undone. A revoked license never comes back; issue a new one instead. To stop it for a while only, suspend it."
        />
      }
    >
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
