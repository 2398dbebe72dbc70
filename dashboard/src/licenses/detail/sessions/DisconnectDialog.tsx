import { api } from "../../../api/client";
import type { License } from "../../../api/types";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { useChanged } from "../../../ui/useChanged";
import { nameOf, type Session } from "./session";

interface DisconnectDialogProps {
  session: Session;
  license: License;
  onClose: () => void;
}

export function DisconnectDialog({ session, license, onClose }: DisconnectDialogProps) {
  const changed = useChanged();
  const name = nameOf(session);
  const disconnect = async () => {
    await api.POST("/api/sessions/{sessionId}/disconnect", {
      params: { path: { sessionId: session.id } },
    });
    changed(`The session on ${name} is ended.`);
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
          The session on <b>{name}</b> ends at once
          {license.type === "Floating" && ", and its seat is free for somebody else"}. The
          application learns it with its next heartbeat, and may connect again. To keep the device
          out, block it under Activations. Work that is not saved there may be lost.
        </>
      }
    />
  );
}
