import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Skeleton from "@mui/material/Skeleton";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { $api } from "../api/client";
import type { Profile } from "../api/types";
import { Column } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";

/** The user's profile, and a function to refetch it after a change. */
export function useProfile() {
  const queryClient = useQueryClient();
  const { data: profile, error, refetch } = $api.useQuery("get", "/api/auth/me");
  return {
    profile,
    error,
    refetch: () => void refetch(),
    hasChanged: () => queryClient.invalidateQueries({ queryKey: ["get", "/api/auth/me"] }),
  };
}

/** Renders its children once the user's profile is loaded, and says if the session cannot change it. */
export function ProfileLoader({ children }: { children: (profile: Profile) => ReactNode }) {
  const { profile, error, refetch } = useProfile();
  if (profile && !profile.accountClosed) return children(profile);
  if (profile)
    return (
      <Column gap="l">
        <Alert severity="info">
          {t`You signed in through an identity provider. To change your account, sign out and sign in with your password or a passkey. If you have neither, use “Forgot your password?” on the sign-in page.`}
        </Alert>
        {children(profile)}
      </Column>
    );
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  return <Skeleton variant="rounded" height={220} />;
}
