import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useApiForm } from "../../../ui/form/useApiForm";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { restore, revoke } from "./acts";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { ReasonField } from "./ReasonField";
import { useOfflineValidity } from "./useOfflineValidity";

export function RevokeDialog({ license, onClose }: LicenseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const name = license.licenseName;
  const offlineValidity = useOfflineValidity(license);
  const form = useApiForm({
    values: { reason: "" },
    send: async ({ reason }) => {
      await revoke(license.id, reason.trim() || null);
      notifyChanged(t`License revoked.`, () => restore(license.id));
    },
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Revoke license`}
      action={t`Revoke license`}
      danger
      typed={name}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <Trans>
              This ends <b>{name}</b>.
            </Trans>
          }
          online={t`They are rejected at their next validation with the status Revoked. Live sessions end with their next heartbeat, and metered usage is rejected.`}
          offline={`${offlineValidity} ${t`No new files can be downloaded.`}`}
          undo={t`You can restore the license for 24 hours; after that you can only issue a new one. To stop the license temporarily, suspend it instead.`}
        />
      }
    >
      <ReasonField {...form.field("reason")} />
    </ConfirmFormDialog>
  );
}
