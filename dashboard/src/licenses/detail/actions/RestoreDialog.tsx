import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { restore, revoke } from "./acts";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";

export function RestoreDialog({ license, onClose }: LicenseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const name = license.licenseName;
  return (
    <ConfirmDialog
      title={t`Restore license`}
      action={t`Restore license`}
      onConfirm={async () => {
        await restore(license.id);
        notifyChanged(t`License restored.`, () => revoke(license.id, null));
      }}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <Trans>
              This undoes the revocation of <b>{name}</b>, with its term, devices and balance.
            </Trans>
          }
          online={t`They work again from their next validation. Sessions that ended do not come back; applications connect again.`}
          offline={t`New files can be downloaded again.`}
          undo={t`You can revoke the license again.`}
        />
      }
    />
  );
}
