import { t } from "@lingui/core/macro";
import { RowMenu } from "../ui/table/RowMenu";
import { useInstitution } from "../ui/useInstitution";
import type { Account } from "./UsersPage";

export interface Asked {
  action: "vouch" | "factor" | "sessions" | "disable" | "enable";
  account: Account;
}

interface UserActionsProps {
  account: Account;
  onAsk: (asked: Asked) => void;
}

/** What a system Admin can do for users who cannot do it themselves. */
export function UserActions({ account, onAsk }: UserActionsProps) {
  const { profile } = useInstitution();
  const isOther = account.id !== profile?.id;
  const offered: [action: Asked["action"], label: string, isOffered: boolean][] = [
    ["vouch", t`Mark as verified`, !account.emailVerified],
    ["factor", t`Remove second factor`, isOther && account.totpEnabled],
    ["sessions", t`End sessions`, isOther && !account.disabled],
    ["enable", t`Enable account`, isOther && account.disabled],
    ["disable", t`Disable account`, isOther && !account.disabled],
  ];
  return (
    <RowMenu
      name={account.fullName}
      acts={offered.flatMap(([action, label, isOffered]) =>
        isOffered
          ? [
              {
                label,
                act: () => onAsk({ action, account }),
              },
            ]
          : [],
      )}
    />
  );
}
