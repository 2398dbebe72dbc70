import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { $api } from "../../api/client";
import { ProblemAlert } from "../../ui/ProblemAlert";
import type { Settings } from "./settings";

interface SettingsLoaderProps {
  institutionId: string;
  children: (settings: Settings) => ReactNode;
}

/** Shows what needs the settings of the institution once they are here. */
export function SettingsLoader({ institutionId, children }: SettingsLoaderProps) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/settings",
    { params: { path: { institutionId } } },
  );
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton variant="rounded" height={420} />;
  return children(data);
}
