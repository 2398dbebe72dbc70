import { api } from "../../../api/client";
import type { License } from "../../../api/types";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { nameOf, type Session } from "./session";

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
    notifyChanged(`Session on ${name} disconnected.`);
  };
  return (
    <ConfirmDialog
      title="Disconnect session"
      action="Disconnect session"
      danger
      onConfirm={disconnect}
      onClose={onClose}
      consequence={
        <>
          The session on <b>{name}</b> ends immediately{" "}
          {license.type === "Floating" && " and frees its seat"}. The application finds out with its
          next heartbeat and can connect again. To lock the device out, block it under Activations.
          Unsaved work there may be lost.
        </>
      }
    />
  );
}
