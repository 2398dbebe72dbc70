import { t } from "@lingui/core/macro";
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
  const { fullName, email } = account;
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={t`Mark ${email} as verified?`}
      consequence={t`${fullName} can then see every license issued to this address and create products. Make sure the address is theirs: this cannot be undone here. The action is recorded in the audit log under your name.`}
      action={t`Mark as verified`}
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.POST("/api/users/{userId}/verify-email", { params });
        refresh();
        notify(t`Email address marked as verified.`, { type: "info" });
      }}
    />
  );
}

export function RemoveSecondFactorDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={t`Remove the second factor of ${fullName}?`}
      consequence={t`Only continue if you are sure that the request comes from ${fullName}. All their sessions end, and the password alone is enough to sign in until they turn the second factor on again. ${email} is notified by email, and the action is recorded in the audit log under your name.`}
      action={t`Remove second factor`}
      typed={account.email}
      danger
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.DELETE("/api/users/{userId}/totp", { params });
        refresh();
        notify(t`Second factor removed.`, { type: "info" });
      }}
    />
  );
}

export function EndSessionsDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  return (
    <ConfirmDialog
      title={t`End all sessions of ${fullName}?`}
      consequence={t`${fullName} is signed out everywhere and can sign in again. ${email} is notified by email, and the action is recorded in the audit log under your name.`}
      action={t`End sessions`}
      onClose={onClose}
      onConfirm={async () => {
        const params = { path: { userId: account.id } };
        await api.DELETE("/api/users/{userId}/sessions", { params });
        notify(t`Sessions ended.`, { type: "info" });
      }}
    />
  );
}

export function DisableDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  const change = useAccountChange(account);
  return (
    <ConfirmDialog
      title={t`Disable the account of ${fullName}?`}
      consequence={t`${fullName} is signed out everywhere and cannot sign in, and API keys that they created do not work, until you enable the account again. ${email} is notified by email, and the action is recorded in the audit log under your name.`}
      action={t`Disable account`}
      danger
      onClose={onClose}
      onConfirm={() => change(true, t`Account disabled.`)}
    />
  );
}

export function EnableDialog({ account, onClose }: UserDialogProps) {
  const { fullName, email } = account;
  const change = useAccountChange(account);
  return (
    <ConfirmDialog
      title={t`Enable the account of ${fullName}?`}
      consequence={t`${fullName} can sign in again, and API keys that they created work again. ${email} is notified by email, and the action is recorded in the audit log under your name.`}
      action={t`Enable account`}
      onClose={onClose}
      onConfirm={() => change(false, t`Account enabled.`)}
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
