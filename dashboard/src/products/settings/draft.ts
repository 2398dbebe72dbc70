import { t } from "@lingui/core/macro";
import { changed } from "../../api/changed";
import type { Product, Schemas } from "../../api/types";
import type { AccessType } from "../parts/AccessFields";

/** The settings as form values: numbers are strings, empty for none. */
export interface SettingsDraft {
  name: string;
  description: string;
  accessType: AccessType;
  settings: {
    heartbeatIntervalSeconds: string;
    sessionTimeoutSeconds: string;
    heartbeatMinSpacingSeconds: string;
    offlineFileLifetimeDays: string;
    deviceReleasesPerYear: string;
    downloadsNeedLicense: boolean;
  };
}

export const draftOf = ({ name, description, accessType, settings }: Product): SettingsDraft => ({
  name,
  description: description ?? "",
  accessType,
  settings: {
    heartbeatIntervalSeconds: String(settings.heartbeatIntervalSeconds),
    sessionTimeoutSeconds: String(settings.sessionTimeoutSeconds),
    heartbeatMinSpacingSeconds: String(settings.heartbeatMinSpacingSeconds),
    offlineFileLifetimeDays: String(settings.offlineFileLifetimeDays ?? ""),
    deviceReleasesPerYear: String(settings.deviceReleasesPerYear),
    downloadsNeedLicense: settings.downloadsNeedLicense,
  },
});

const settingsOf = ({ settings }: SettingsDraft) => ({
  heartbeatIntervalSeconds: Number(settings.heartbeatIntervalSeconds),
  sessionTimeoutSeconds: Number(settings.sessionTimeoutSeconds),
  heartbeatMinSpacingSeconds: Number(settings.heartbeatMinSpacingSeconds),
  offlineFileLifetimeDays: settings.offlineFileLifetimeDays
    ? Number(settings.offlineFileLifetimeDays)
    : null,
  deviceReleasesPerYear: Number(settings.deviceReleasesPerYear),
  downloadsNeedLicense: settings.downloadsNeedLicense,
});

/** The request body with what differs from the product. */
export function changeOf(draft: SettingsDraft, product: Product): Schemas["ProductChange"] {
  const general = {
    name: draft.name.trim(),
    description: draft.description.trim() ? draft.description : null,
    accessType: draft.accessType,
  };
  const settings = changed(settingsOf(draft), product.settings);
  return {
    ...changed(general, product),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** What is wrong with settings of the sessions beside each other, by field. */
export function breachesOf(settings: SettingsDraft["settings"]) {
  const interval = Number(settings.heartbeatIntervalSeconds);
  const timeout = Number(settings.sessionTimeoutSeconds);
  const spacing = Number(settings.heartbeatMinSpacingSeconds);
  return {
    ...(timeout < 2 * interval && {
      "settings.sessionTimeoutSeconds": t`Must be at least ${{ least: String(2 * interval) }}, twice the heartbeat interval. Otherwise one late heartbeat would end the session.`,
    }),
    ...(spacing > interval && {
      "settings.heartbeatMinSpacingSeconds": t`Must be at most ${{ most: String(interval) }}, the heartbeat interval. Otherwise heartbeats would be rejected.`,
    }),
  };
}
