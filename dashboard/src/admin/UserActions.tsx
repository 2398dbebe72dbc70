import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useInstitution } from "../ui/useInstitution";
import type { Account } from "./UsersPage";

export interface Asked {
  action: "vouch" | "factor";
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
  return (
    <Stack sx={{ alignItems: "flex-start" }}>
      {!account.emailVerified && (
        <Button
          size="small"
          sx={{ textAlign: "start" }}
          aria-label={`Mark as verified: email address of ${account.fullName}`}
          onClick={() => {
            onAsk({ action: "vouch", account });
          }}
        >
          Mark as verified
        </Button>
      )}
      {account.totpEnabled && account.id !== profile?.id && (
        <Button
          size="small"
          sx={{ textAlign: "start" }}
          aria-label={`Remove second factor of ${account.fullName}`}
          onClick={() => {
            onAsk({ action: "factor", account });
          }}
        >
          Remove second factor
        </Button>
      )}
    </Stack>
  );
}
