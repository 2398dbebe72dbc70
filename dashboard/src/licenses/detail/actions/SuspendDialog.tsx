import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useApiForm } from "../../../ui/form/useApiForm";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { reinstate, suspend } from "./acts";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { ReasonField } from "./ReasonField";
import { useOfflineValidity } from "./useOfflineValidity";

export function SuspendDialog({ license, onClose }: LicenseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const name = license.licenseName;
  const offlineValidity = useOfflineValidity(license);
  const form = useApiForm({
    values: { reason: "" },
    send: async ({ reason }) => {
      await suspend(license.id, reason.trim() || null);
      notifyChanged(t`License suspended.`, () => reinstate(license.id));
    },
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Suspend license`}
      action={t`Suspend license`}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <Trans>
              This puts <b>{name}</b> on hold, for example because of an unpaid invoice. Its term
              keeps running.
            </Trans>
          }
          online={t`They are rejected at their next validation with the status Suspended. Live sessions end with their next heartbeat, and metered usage is rejected. Devices keep their seats.`}
          offline={offlineValidity}
          undo={t`You can reinstate the license at any time; applications work again from their next validation.`}
        />
      }
    >
      <ReasonField {...form.field("reason")} />
    </ConfirmFormDialog>
  );
}
