import Button from "@mui/material/Button";
import { useState } from "react";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Section } from "../../ui/Section";
import type { SsoProps } from "./connection";
import { notify } from "../../ui/toasts/toasts";

/** Disconnects the provider. */
export function DisconnectSection({ institutionId, onChanged }: SsoProps) {
  const [asks, setAsks] = useState(false);
  return (
    <Section
      title="Disconnect"
      subtitle="Members sign in with their passwords again, and the domains are given up."
      actions={
        <Button
          color="error"
          variant="outlined"
          onClick={() => {
            setAsks(true);
          }}
        >
          Disconnect provider
        </Button>
      }
    >
      {asks && (
        <ConfirmDialog
          title="Disconnect the identity provider?"
          action="Disconnect provider"
          danger
          consequence="Sessions that it opened end within 15 minutes. Members who have only signed in through it need “Forgot your password?” to set one."
          onClose={() => {
            setAsks(false);
          }}
          onConfirm={async () => {
            const params = { path: { institutionId } };
            await api.DELETE("/api/institutions/{institutionId}/sso", { params });
            await onChanged();
            notify("Identity provider disconnected.", { type: "info" });
          }}
        />
      )}
    </Section>
  );
}
