import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import type { Profile } from "../api/types";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useProfile } from "./useProfile";

/** Renders its children once the user's profile is loaded. */
export function ProfileLoader({ children }: { children: (profile: Profile) => ReactNode }) {
  const { profile, error, refetch } = useProfile();
  if (profile) return children(profile);
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  return <Skeleton variant="rounded" height={220} />;
}
