import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useNavigate } from "react-router";
import { api, at } from "../../../api/client";
import { textOrNull } from "../../../api/fields";
import type { License } from "../../../api/types";
import { ConfirmDialog, ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useApiForm } from "../../../ui/form/useApiForm";
import { dateTime } from "../../../ui/formats";
import { notify } from "../../../ui/toasts/toasts";
import {
  Consequences,
  type LicenseDialogProps,
  ReasonField,
  reinstate,
  restore,
  revoke,
  revokeAgain,
  suspend,
  suspendAgain,
  useOfflineValidity,
} from "./Consequences";
import { RekeyLicenseRequest } from "../../../api/checks";
import { FormField } from "../../../ui/form/FormField";

/** A form for the reason of an act on a license, which another act undoes. */
function useReasonForm(
  { id }: License,
  act: (id: string, reason: string | null) => Promise<unknown>,
  done: string,
  undo: (id: string) => Promise<unknown>,
) {
  return useApiForm({
    values: { reason: "" },
    send: ({ reason }) => act(id, textOrNull(reason)),
    done: done,
    undo: () => undo(id),
  });
}

export function SuspendDialog({ license, onClose }: LicenseDialogProps) {
  const name = license.licenseName;
  const offlineValidity = useOfflineValidity(license);
  const form = useReasonForm(license, suspend, t`License suspended.`, reinstate);
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

const hasEnded = (end: string | null) => end !== null && new Date(end) <= new Date();

const expiredNote = (end: string) =>
  t`It expired on ${{ moment: dateTime(end) }}, so its status will be Expired until you extend it.`;

export function ReinstateDialog({ license, onClose }: LicenseDialogProps) {
  const name = license.licenseName;
  const end = license.expirationDate;
  return (
    <ConfirmDialog
      title={t`Reinstate license`}
      action={t`Reinstate license`}
      onConfirm={() => reinstate(license.id)}
      done={t`License reinstated.`}
      undo={() => suspendAgain(license.id)}
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

export function RevokeDialog({ license, onClose }: LicenseDialogProps) {
  const name = license.licenseName;
  const offlineValidity = useOfflineValidity(license);
  const form = useReasonForm(license, revoke, t`License revoked.`, restore);
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Revoke license`}
      action={t`Revoke license`}
      danger
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

export function RestoreDialog({ license, onClose }: LicenseDialogProps) {
  const name = license.licenseName;
  return (
    <ConfirmDialog
      title={t`Restore license`}
      action={t`Restore license`}
      onConfirm={() => restore(license.id)}
      done={t`License restored.`}
      undo={() => revokeAgain(license.id)}
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

export function DeleteDialog({ license, onClose }: LicenseDialogProps) {
  const navigate = useNavigate();
  const name = license.licenseName;
  const offlineValidity = useOfflineValidity(license);
  const remove = async () => {
    await api.DELETE("/api/licenses/{licenseId}", at({ licenseId: license.id }));
    notify(t`License deleted.`, { type: "success" });
    await navigate("/licenses");
  };
  return (
    <ConfirmDialog
      title={t`Delete license`}
      action={t`Delete license`}
      danger
      typed={name}
      onConfirm={remove}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <Trans>
              This deletes <b>{name}</b> with its devices, sessions and access attempts. Its ledger
              and the audit log are kept.
            </Trans>
          }
          online={t`The license key no longer exists: they are rejected at their next validation with the status LicenseNotFound.`}
          offline={offlineValidity}
          undo={t`This cannot be undone. To end the license but keep its history, revoke it instead.`}
        />
      }
    />
  );
}

const USUAL_GRACE_DAYS = "7";

export function RekeyDialog({ license, onClose }: LicenseDialogProps) {
  const form = useApiForm({
    values: { graceDays: USUAL_GRACE_DAYS },
    checks: RekeyLicenseRequest,
    send: ({ graceDays }) =>
      api.POST("/api/licenses/{licenseId}/rekey", {
        ...at({ licenseId: license.id }),
        body: { graceDays: Number(graceDays) },
      }),
    done: t`License key replaced.`,
  });
  const name = license.licenseName;
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Replace license key`}
      action={t`Replace license key`}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <Trans>
              <b>{name}</b> gets a new key. Devices, sessions and balance stay.
            </Trans>
          }
          online={t`They need the new key before the grace period ends; then the old key is unknown.`}
          offline={t`Existing files keep working until they are refreshed, which takes the new key.`}
          undo={t`This cannot be undone. Send customers the new key.`}
        />
      }
    >
      <FormField
        {...form.field("graceDays")}
        type="number"
        label={t`Days that the old key still works`}
        helperText={t`0 stops the old key at once, for example after it was published.`}
      />
    </ConfirmFormDialog>
  );
}
