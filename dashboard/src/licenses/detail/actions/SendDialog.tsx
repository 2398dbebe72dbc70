import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import type { LicenseDialogProps } from "./dialog";

/** Mails the license to its receiver. */
export function SendDialog({ license, onClose }: LicenseDialogProps) {
  const name = license.licenseName;
  const notifyChanged = useNotifyChanged();
  const send = async () => {
    const { data } = await api.POST("/api/licenses/{licenseId}/send", {
      params: { path: { licenseId: license.id } },
      body: {},
    });
    notifyChanged(
      data ? t`Email to ${{ email: data.recipient }} written.` : t`Email to the receiver written.`,
    );
  };
  return (
    <ConfirmDialog
      title={t`Send license by email`}
      action={t`Send by email`}
      onConfirm={send}
      onClose={onClose}
      consequence={
        <Trans>
          This emails the key of <b>{name}</b> and a link to the portal to the license holder, with
          the product’s email “License issued”.
        </Trans>
      }
    />
  );
}
