import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useNavigate } from "react-router";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { useOfflineValidity } from "./useOfflineValidity";
import { notify } from "../../../ui/toasts/toasts";

export function DeleteDialog({ license, onClose }: LicenseDialogProps) {
  const navigate = useNavigate();
  const name = license.licenseName;
  const offlineValidity = useOfflineValidity(license);
  const remove = async () => {
    await api.DELETE("/api/licenses/{licenseId}", {
      params: { path: { licenseId: license.id } },
    });
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
