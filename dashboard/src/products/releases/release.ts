import type { Schemas } from "../../api/types";

export type Release = Schemas["ReleaseView"];
export type ReleaseFile = Schemas["ReleaseFileView"];

/** As people call it: 1.4.0, or 1.4.0 (Beta) beside the usual channel. */
export const nameOf = ({ version, channel }: Release): string =>
  channel === "Stable" ? version : `${version} (${channel})`;
