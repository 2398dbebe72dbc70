import { t } from "@lingui/core/macro";
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
      title={t`Disconnect`}
      subtitle={t`Members sign in with their passwords again, and the domains are removed.`}
      actions={
        <Button color="error" variant="outlined" onClick={() => setAsks(true)}>
          {t`Disconnect provider`}
        </Button>
      }
    >
      {asks && (
        <ConfirmDialog
          title={t`Disconnect the identity provider?`}
          action={t`Disconnect provider`}
          danger
          consequence={t`Sessions that it opened end within 15 minutes. Members who have only signed in through it need “Forgot your password?” to set one.`}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            const params = { path: { institutionId } };
            await api.DELETE("/api/institutions/{institutionId}/sso", { params });
            await onChanged();
            notify(t`Identity provider disconnected.`, { type: "info" });
          }}
        />
      )}
    </Section>
  );
}
