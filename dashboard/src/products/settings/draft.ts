import { changed } from "../../api/changed";
import type { Product, Schemas } from "../../api/types";
import type { Access } from "../parts/AccessFields";

/** The settings as they stand in the fields: numbers are texts, and an empty one is none. */
export interface SettingsDraft {
  name: string;
  description: string;
  access: Access;
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
    access: {
      accessType: product.accessType,
      associatedInstitutionIds: product.associatedInstitutionIds,
    },
    heartbeatIntervalSeconds: String(settings.heartbeatIntervalSeconds),
    sessionTimeoutSeconds: String(settings.sessionTimeoutSeconds),
    heartbeatMinSpacingSeconds: String(settings.heartbeatMinSpacingSeconds),
    offlineFileLifetimeDays: String(settings.offlineFileLifetimeDays ?? ""),
    deviceReleasesPerYear: String(settings.deviceReleasesPerYear),
    downloadsNeedLicense: settings.downloadsNeedLicense,
  };
}

/** What differs from the product, as the API takes it. */
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
        ...draft.access,
      },
      product,
    ),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** What is wrong with the times of sessions, beside the field that it is said of. */
export function breachesOf(draft: SettingsDraft) {
  const interval = Number(draft.heartbeatIntervalSeconds);
  const timeout = Number(draft.sessionTimeoutSeconds);
  const spacing = Number(draft.heartbeatMinSpacingSeconds);
  return {
    ...(timeout < 2 * interval && {
      sessionTimeoutSeconds: `At least ${String(2 * interval)}, twice the heartbeat interval: else one late heartbeat would end the session.`,
    }),
    ...(spacing > interval && {
      heartbeatMinSpacingSeconds: `At most ${String(interval)}, the heartbeat interval: else applications would be turned away.`,
    }),
  };
}
