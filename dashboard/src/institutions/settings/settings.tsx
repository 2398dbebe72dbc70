import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { $api, api, at } from "../../api/client";
import type { Institution, Schemas } from "../../api/types";
import { ProblemAlert } from "../../ui/ProblemAlert";
import type { Can } from "../../ui/useInstitution";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

export type Settings = Schemas["InstitutionSettings"];
type SettingsChange = Schemas["InstitutionSettingsChange"];

/** Props of each section of the settings. */
export interface SettingsProps {
  institutionId: string;
  settings: Settings;
}

/** Props of each tab of the settings. */
export interface SettingsTabProps {
  institution: Institution;
  /** What the user may do there. */
  can: Can;
}

/** Saves some of the settings and shows a notification. */
export function useSaveSettings(institutionId: string) {
  const notifyChanged = useNotifyChanged();
  return async (body: SettingsChange, sentence: string) => {
    await api.PUT("/api/institutions/{institutionId}/settings", { ...at({ institutionId }), body });
    notifyChanged(sentence);
  };
}

interface SettingsLoaderProps {
  institutionId: string;
  children: (settings: Settings) => ReactNode;
}

/** Shows what needs the settings of the institution once they are here. */
export function SettingsLoader({ institutionId, children }: SettingsLoaderProps) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/settings",
    at({ institutionId }),
  );
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton variant="rounded" height={420} />;
  return children(data);
}
