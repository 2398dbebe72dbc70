import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { dateTime } from "../../../ui/formats";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { reinstate, suspend } from "./acts";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";

const hasEnded = (end: string | null) => end !== null && new Date(end) <= new Date();

const expiredNote = (end: string) =>
  t`It expired on ${{ moment: dateTime(end) }}, so its status will be Expired until you extend it.`;

export function ReinstateDialog({ license, onClose }: LicenseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const name = license.licenseName;
  const end = license.expirationDate;
  return (
    <ConfirmDialog
      title={t`Reinstate license`}
      action={t`Reinstate license`}
      onConfirm={async () => {
        await reinstate(license.id);
        notifyChanged(t`License reinstated.`, () => suspend(license.id, null));
      }}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <>
              <Trans>
                This ends the suspension of <b>{name}</b>.
              </Trans>
              {end !== null && hasEnded(end) && ` ${expiredNote(end)}`}
            </>
          }
          online={t`They work again from their next validation, on the same devices.`}
          offline={t`Existing files keep working as before, and new files can be downloaded again.`}
          undo={t`You can suspend the license again.`}
        />
      }
    />
  );
}
