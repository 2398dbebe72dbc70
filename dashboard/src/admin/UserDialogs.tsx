import { api } from "../api/client";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import type { Account } from "./UsersPage";
import { notify } from "../ui/toasts/toasts";
import { useRefresh } from "../ui/useRefresh";

interface UserDialogProps {
  account: Account;
  onClose: () => void;
}

export function VerifyEmailDialog({ account, onClose }: UserDialogProps) {
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

export function EndSessionsDialog({ account, onClose }: UserDialogProps) {
  return (
    <ConfirmDialog
      title={`End all sessions of ${account.fullName}?`}
      consequence={`${account.fullName} is signed out everywhere and can sign in again. ${account.email} is notified by email, and the action is recorded in the audit log under your name.`}
      action="End sessions"
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.DELETE("/api/users/{userId}/sessions", { params });
        notify("Sessions ended.", { type: "info" });
      }}
    />
  );
}

export function DisableDialog({ account, onClose }: UserDialogProps) {
  const change = useAccountChange(account);
  return (
    <ConfirmDialog
      title={`Disable the account of ${account.fullName}?`}
      consequence={`${account.fullName} is signed out everywhere and cannot sign in, and API keys that they created do not work, until you enable the account again. ${account.email} is notified by email, and the action is recorded in the audit log under your name.`}
      action="Disable account"
      danger
      onClose={onClose}
      onConfirm={() => change(true, "Account disabled.")}
    />
  );
}

export function EnableDialog({ account, onClose }: UserDialogProps) {
  const change = useAccountChange(account);
  return (
    <ConfirmDialog
      title={`Enable the account of ${account.fullName}?`}
      consequence={`${account.fullName} can sign in again, and API keys that they created work again. ${account.email} is notified by email, and the action is recorded in the audit log under your name.`}
      action="Enable account"
      onClose={onClose}
      onConfirm={() => change(false, "Account enabled.")}
    />
  );
}

function useAccountChange(account: Account) {
  const refresh = useRefresh();
  return async (disabled: boolean, done: string) => {
    const params = { path: { userId: account.id } };
    await api.PUT("/api/users/{userId}", { params, body: { disabled } });
    refresh();
    notify(done, { type: "info" });
  };
}
