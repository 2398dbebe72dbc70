import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useInstitution } from "../ui/useInstitution";
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
  const isOther = account.id !== profile?.id;
  const button = (action: Asked["action"], label: string, what = label) => (
    <Button
      size="small"
      sx={{ textAlign: "start" }}
      aria-label={`${what} of ${account.fullName}`}
      onClick={() => {
        onAsk({ action, account });
      }}
    >
      {label}
    </Button>
  );
  return (
    <Stack sx={{ alignItems: "flex-start" }}>
      {!account.emailVerified &&
        button("vouch", "Mark as verified", "Mark as verified: email address")}
      {isOther && account.totpEnabled && button("factor", "Remove second factor")}
      {isOther && !account.disabled && button("sessions", "End sessions")}
      {isOther &&
        (account.disabled
          ? button("enable", "Enable account")
          : button("disable", "Disable account"))}
    </Stack>
  );
}
