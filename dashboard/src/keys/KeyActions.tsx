import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { useState, type ReactNode } from "react";
import { BlockIcon, RenewIcon } from "../ui/icons";
import { api } from "../api/client";
import type { ApiKey } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Row } from "../ui/layout/layout";
import { useNotifyChanged } from "../ui/useNotifyChanged";
import type { IssuedKey } from "./key";
import { keyStatus } from "./keyStatus";

const Act = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) => (
  <Tooltip title={label}>
    <IconButton size="small" aria-label={label} onClick={onClick}>
      {icon}
    </IconButton>
  </Tooltip>
);

interface KeyActionsProps {
  apiKey: ApiKey;
  onRotated: (key: IssuedKey) => void;
}

/** Rotate or revoke an API key. */
export function KeyActions({ apiKey, onRotated }: KeyActionsProps) {
  const [asked, setAsked] = useState<"rotate" | "revoke" | null>(null);
  const notifyChanged = useNotifyChanged();
  const { name } = apiKey;
  const status = keyStatus(apiKey);
  if (status === "Revoked") return null;
  const params = { path: { keyId: apiKey.id } };
  const rotate = async () => {
    const { data } = await api.POST("/api/api-keys/{keyId}/rotate", { params });
    notifyChanged(t`Secret rotated for ${name}.`);
    if (data) onRotated(data);
  };
  const revoke = async () => {
    await api.DELETE("/api/api-keys/{keyId}", { params });
    notifyChanged(t`API key ${name} revoked.`);
  };
  const close = () => setAsked(null);
  return (
    <Row align="stretch" place="atEnd">
      {status === "Active" && (
        <Act
          label={t`Rotate secret of ${name}`}
          icon={<RenewIcon />}
          onClick={() => setAsked("rotate")}
        />
      )}
      <Act label={t`Revoke ${name}`} icon={<BlockIcon />} onClick={() => setAsked("revoke")} />
      {asked === "rotate" && (
        <ConfirmDialog
          title={t`Rotate secret`}
          action={t`Rotate secret`}
          consequence={t`${name} keeps its scopes and expiration date, and from now on acts for you: it can do no more than you may. The current secret stops working immediately: programs that use it are rejected until they have the new one.`}
          onConfirm={rotate}
          onClose={close}
        />
      )}
      {asked === "revoke" && (
        <ConfirmDialog
          title={t`Revoke API key`}
          action={t`Revoke API key`}
          danger
          typed={name}
          consequence={t`Programs that use ${name} are rejected from the next request on. This cannot be undone; the audit log keeps a record of what the key did.`}
          onConfirm={revoke}
          onClose={close}
        />
      )}
    </Row>
  );
}
