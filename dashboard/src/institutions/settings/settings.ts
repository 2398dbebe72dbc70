import { api } from "../../api/client";
import type { Institution, Schemas } from "../../api/types";
import type { Can } from "../../ui/useInstitution";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

export type Settings = Schemas["InstitutionSettings"];
export type SettingsChange = Schemas["InstitutionSettingsChange"];

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
    await api.PUT("/api/institutions/{institutionId}/settings", {
      params: { path: { institutionId } },
      body,
    });
    notifyChanged(sentence);
  };
}
