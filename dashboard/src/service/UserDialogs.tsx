import { useNotify, useRefresh } from "ra-core";
import { api } from "../api/client";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import type { Account } from "./UsersPage";

interface UserDialogProps {
  account: Account;
  onClose: () => void;
}

export function VouchDialog({ account, onClose }: UserDialogProps) {
  const notify = useNotify();
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={`Vouch for ${account.email}?`}
      consequence={`On your word, the address counts as that of ${account.fullName}, who sees every license issued to it and can make products. Be sure of it: it cannot be taken back here. The audit log names you.`}
      action="Vouch for address"
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.POST("/api/users/{userId}/verify-email", { params });
        refresh();
        notify("The address counts as verified.", { type: "info" });
      }}
    />
  );
}

export function FactorDialog({ account, onClose }: UserDialogProps) {
  const notify = useNotify();
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={`Take off the second factor of ${account.fullName}?`}
      consequence={`Do it only when you are sure that it is really ${account.fullName} who asks. All sessions of that account end, and its password alone opens it until the factor is turned on again. A letter tells ${account.email}, and the audit log names you.`}
      action="Take off second factor"
      typed={account.email}
      danger
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.DELETE("/api/users/{userId}/totp", { params });
        refresh();
        notify("The second factor is off.", { type: "info" });
      }}
    />
  );
}
