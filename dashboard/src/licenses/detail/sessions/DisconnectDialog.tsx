import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { api } from "../../../api/client";
import type { License } from "../../../api/types";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { nameOf } from "../devices/device";
import type { Session } from "./session";

interface DisconnectDialogProps {
  session: Session;
  license: License;
  onClose: () => void;
}

export function DisconnectDialog({ session, license, onClose }: DisconnectDialogProps) {
  const notifyChanged = useNotifyChanged();
  const name = nameOf(session);
  const disconnect = async () => {
    await api.POST("/api/sessions/{sessionId}/disconnect", {
      params: { path: { sessionId: session.id } },
    });
    notifyChanged(t`Session on ${name} disconnected.`);
  };
  return (
    <ConfirmDialog
      title={t`Disconnect session`}
      action={t`Disconnect session`}
      danger
      onConfirm={disconnect}
      onClose={onClose}
      consequence={
        <>
          {license.type === "Floating" ? (
            <Trans>
              The session on <b>{name}</b> ends immediately and frees its seat.
            </Trans>
          ) : (
            <Trans>
              The session on <b>{name}</b> ends immediately.
            </Trans>
          )}{" "}
          {t`The application finds out with its next heartbeat and can connect again. To lock the device out, block it under Activations. Unsaved work there may be lost.`}
        </>
      }
    />
  );
}
