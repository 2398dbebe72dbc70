import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Column } from "../ui/layout/layout";
import { useInstitution } from "../ui/useInstitution";
import styles from "./admin.module.css";
import type { Account } from "./UsersPage";

export interface Asked {
  action: "vouch" | "factor" | "sessions" | "disable" | "enable";
  account: Account;
}

/** What a system Admin can do for users who cannot do it themselves. */
export function UserActions({
  account,
  onAsk,
}: {
  account: Account;
  onAsk: (asked: Asked) => void;
}) {
  const { profile } = useInstitution();
  const { fullName } = account;
  const isOther = account.id !== profile?.id;
  const button = (action: Asked["action"], label: string, name: string) => (
    <Button
      size="small"
      className={styles.action}
      aria-label={name}
      onClick={() => {
        onAsk({ action, account });
      }}
    >
      {label}
    </Button>
  );
  return (
    <Column align="start">
      {!account.emailVerified &&
        button("vouch", t`Mark as verified`, t`Mark as verified: email address of ${fullName}`)}
      {isOther &&
        account.totpEnabled &&
        button("factor", t`Remove second factor`, t`Remove second factor of ${fullName}`)}
      {isOther &&
        !account.disabled &&
        button("sessions", t`End sessions`, t`End sessions of ${fullName}`)}
      {isOther &&
        (account.disabled
          ? button("enable", t`Enable account`, t`Enable account of ${fullName}`)
          : button("disable", t`Disable account`, t`Disable account of ${fullName}`))}
    </Column>
  );
}
