import { t } from "@lingui/core/macro";
import { changed } from "../../api/changed";
import type { Product, Schemas } from "../../api/types";
import type { AccessType } from "../parts/AccessFields";

/** The settings as form values: numbers are strings, empty for none. */
export interface SettingsDraft {
  name: string;
  description: string;
  accessType: AccessType;
  heartbeatIntervalSeconds: string;
  sessionTimeoutSeconds: string;
  heartbeatMinSpacingSeconds: string;
  offlineFileLifetimeDays: string;
  deviceReleasesPerYear: string;
  downloadsNeedLicense: boolean;
}

export type SetDraft = (change: Partial<SettingsDraft>) => void;

export function draftOf({ name, description, settings, ...product }: Product): SettingsDraft {
  return {
    name,
    description: description ?? "",
    accessType: product.accessType,
    heartbeatIntervalSeconds: String(settings.heartbeatIntervalSeconds),
    sessionTimeoutSeconds: String(settings.sessionTimeoutSeconds),
    heartbeatMinSpacingSeconds: String(settings.heartbeatMinSpacingSeconds),
    offlineFileLifetimeDays: String(settings.offlineFileLifetimeDays ?? ""),
    deviceReleasesPerYear: String(settings.deviceReleasesPerYear),
    downloadsNeedLicense: settings.downloadsNeedLicense,
  };
}

/** The request body with the changed settings. */
export function changeOf(draft: SettingsDraft, product: Product): Schemas["ProductChange"] {
  const settings = changed(
    {
      heartbeatIntervalSeconds: Number(draft.heartbeatIntervalSeconds),
      sessionTimeoutSeconds: Number(draft.sessionTimeoutSeconds),
      heartbeatMinSpacingSeconds: Number(draft.heartbeatMinSpacingSeconds),
      offlineFileLifetimeDays: draft.offlineFileLifetimeDays
        ? Number(draft.offlineFileLifetimeDays)
        : null,
      deviceReleasesPerYear: Number(draft.deviceReleasesPerYear),
      downloadsNeedLicense: draft.downloadsNeedLicense,
    },
    product.settings,
  );
  return {
    ...changed(
      {
        name: draft.name.trim(),
        description: draft.description.trim() ? draft.description : null,
        accessType: draft.accessType,
      },
      product,
    ),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** Validation errors of the session settings, by field. */
export function validationErrors(draft: SettingsDraft) {
  const interval = Number(draft.heartbeatIntervalSeconds);
  const timeout = Number(draft.sessionTimeoutSeconds);
  const spacing = Number(draft.heartbeatMinSpacingSeconds);
  return {
    ...(timeout < 2 * interval && {
      sessionTimeoutSeconds: t`Must be at least ${{ least: String(2 * interval) }}, twice the heartbeat interval. Otherwise one late heartbeat would end the session.`,
    }),
    ...(spacing > interval && {
      heartbeatMinSpacingSeconds: t`Must be at most ${{ most: String(interval) }}, the heartbeat interval. Otherwise heartbeats would be rejected.`,
    }),
  };
}
