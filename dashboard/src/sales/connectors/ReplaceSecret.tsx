import { t } from "@lingui/core/macro";
import Button, { type ButtonProps } from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import { useState } from "react";
import { RotateConnectorSecretRequest } from "../../api/checks";
import { api } from "../../api/client";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { SecretDialog } from "../../ui/SecretDialog";
import { pathOf, type Connector } from "../connector";
import { SHOPS } from "./kinds";
import { useConnectorActions } from "./useConnectorActions";

interface ReplaceSecretProps {
  connector: Connector;
  size?: ButtonProps["size"];
}

/** Replaces the signing secret; one that is made here is then shown once. */
export function ReplaceSecret({ connector, size = "medium" }: ReplaceSecretProps) {
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const close = () => setAsking(false);
  return (
    <>
      <Button variant="outlined" size={size} onClick={() => setAsking(true)}>
        {t`Replace signing secret`}
      </Button>
      {isAsking && <AskSecret connector={connector} onMade={setMade} onClose={close} />}
      {made !== null && !isAsking && (
        <SecretDialog
          title={t`New signing secret`}
          label={t`Signing secret`}
          secret={made}
          fileName="connector-secret.txt"
          onClose={() => setMade(null)}
        >
          {t`Enter it in your shop within 24 hours. Until then, the former one is valid, too.`}
        </SecretDialog>
      )}
    </>
  );
}

interface AskSecretProps {
  connector: Connector;
  /** Gets a secret that was made here; null for one that the shop has made. */
  onMade: (secret: string | null) => void;
  onClose: () => void;
}

function AskSecret({ connector, onMade, onClose }: AskSecretProps) {
  const { done } = useConnectorActions(connector);
  const isGeneric = connector.kind === "Generic";
  const form = useApiForm({
    values: { signingSecret: "" },
    checks: RotateConnectorSecretRequest,
    send: async ({ signingSecret }) => {
      const { data } = await api.POST("/api/connectors/{connectorId}/rotate-secret", {
        params: pathOf(connector.id),
        body: { signingSecret: signingSecret.trim() || null },
      });
      onMade(data?.signingSecret ?? null);
      await done(t`Signing secret replaced. The former one stays valid for 24 hours.`);
    },
  });
  return (
    <FormDialog
      form={form}
      title={t`Replace signing secret`}
      action={t`Replace secret`}
      onClose={onClose}
    >
      <DialogContentText>
        {t`The shop signs its events with this secret. The current one stays valid for 24 hours, so that no event is refused while you change it in the shop. If you replace it again within that time, the oldest stops working at once.`}
      </DialogContentText>
      <FormField
        {...form.field("signingSecret")}
        label={t`New signing secret`}
        required={!isGeneric}
        autoFocus
        input={{ spellCheck: false }}
        helperText={
          isGeneric
            ? t`Leave it empty, and we create one (whsec_…) and show it to you once.`
            : SHOPS[connector.kind].secretStep
        }
      />
    </FormDialog>
  );
}
