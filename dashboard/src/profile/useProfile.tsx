import Skeleton from "@mui/material/Skeleton";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { $api } from "../api/client";
import type { Profile } from "../api/types";
import { ClosedAccount } from "../ui/ClosedAccount";
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

interface LoaderProps {
  children: (profile: Profile) => ReactNode;
}

/** Renders its children once the user's profile is loaded, and says if the session cannot change it. */
export const ProfileLoader = ({ children }: LoaderProps) => (
  <Loader>
    {(profile) =>
      profile.accountClosed ? (
        <Column gap="l">
          <ClosedAccount />
          {children(profile)}
        </Column>
      ) : (
        children(profile)
      )
    }
  </Loader>
);

/** Renders what only changes the account, or says why the session cannot. */
export const OwnSignIn = ({ children }: LoaderProps) => (
  <Loader>{(profile) => (profile.accountClosed ? <ClosedAccount /> : children(profile))}</Loader>
);

function Loader({ children }: LoaderProps) {
  const { profile, error, refetch } = useProfile();
  if (profile) return children(profile);
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  return <Skeleton variant="rounded" height={220} />;
}
