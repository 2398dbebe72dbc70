import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import type { LicenseDialogProps } from "./dialog";

/** Mails the license to its receiver. */
export function SendDialog({ license, onClose }: LicenseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const send = async () => {
    const { data } = await api.POST("/api/licenses/{licenseId}/send", {
      params: { path: { licenseId: license.id } },
      body: {},
    });
    notifyChanged(`Email to ${data?.recipient ?? "the receiver"} written.`);
  };
  return (
    <ConfirmDialog
      title="Send license by email"
      action="Send by email"
      onConfirm={send}
      onClose={onClose}
      consequence={
        <>
          This mails the key of <b>{license.licenseName}</b> and the link to the portal to the
          receiver of the license, in the words of the product’s email “License issued”.
        </>
      }
    />
  );
}
