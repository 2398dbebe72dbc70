import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useInstitution } from "../ui/useInstitution";
import type { Account } from "./UsersPage";

export interface Asked {
  action: "vouch" | "factor";
  account: Account;
}

/** What a system Admin does for somebody who cannot do it himself. */
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
          aria-label={`Vouch for address of ${account.fullName}`}
          onClick={() => {
            onAsk({ action: "vouch", account });
          }}
        >
          Vouch for address
        </Button>
      )}
      {account.totpEnabled && account.id !== profile?.id && (
        <Button
          size="small"
          sx={{ textAlign: "start" }}
          aria-label={`Take off second factor of ${account.fullName}`}
          onClick={() => {
            onAsk({ action: "factor", account });
          }}
        >
          Take off second factor
        </Button>
      )}
    </Stack>
  );
}
