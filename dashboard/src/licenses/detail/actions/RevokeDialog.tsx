import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { ReasonField } from "./ReasonField";
import { useOfflineValidity } from "./useOfflineValidity";

export function RevokeDialog({ license, onClose }: LicenseDialogProps) {
  const [reason, setReason] = useState("");
  const notifyChanged = useNotifyChanged();
  const offlineValidity = useOfflineValidity(license);
  const revoke = async () => {
    await api.POST("/api/licenses/{licenseId}/revoke", {
      params: { path: { licenseId: license.id } },
      body: { reason: reason.trim() || null },
    });
    notifyChanged("License revoked.");
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
              This permanently ends <b>{license.licenseName}</b>.
            </>
          }
          online="They are rejected at their next validation with the status Revoked. Live sessions end with their next heartbeat, and metered usage is rejected."
          offline={`Existing files keep working offline ${offlineValidity}. No new files can be downloaded.`}
          undo="This cannot be undone; you can only issue a new license. To stop the license temporarily, suspend it instead."
        />
      }
    >
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
