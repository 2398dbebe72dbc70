import { useNotify, useRefresh } from "ra-core";
import { api } from "../api/client";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import type { Account } from "./UsersPage";

interface UserDialogProps {
  account: Account;
  onClose: () => void;
}

export function VerifyEmailDialog({ account, onClose }: UserDialogProps) {
  const notify = useNotify();
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={`Mark ${account.email} as verified?`}
      consequence={`${account.fullName} can then see every license issued to this address and create products. Make sure the address is theirs: this cannot be undone here. The action is recorded in the audit log under your name.`}
      action="Mark as verified"
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.POST("/api/users/{userId}/verify-email", { params });
        refresh();
        notify("Email address marked as verified.", { type: "info" });
      }}
    />
  );
}

export function RemoveSecondFactorDialog({ account, onClose }: UserDialogProps) {
  const notify = useNotify();
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={`Remove the second factor of ${account.fullName}?`}
      consequence={`Only continue if you are sure that the request comes from ${account.fullName}. All their sessions end, and the password alone is enough to sign in until they turn the second factor on again. ${account.email} is notified by email, and the action is recorded in the audit log under your name.`}
      action="Remove second factor"
      typed={account.email}
      danger
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.DELETE("/api/users/{userId}/totp", { params });
        refresh();
        notify("Second factor removed.", { type: "info" });
      }}
    />
  );
}
