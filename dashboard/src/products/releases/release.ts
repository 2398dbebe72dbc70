import type { Schemas } from "../../api/types";

export type Release = Schemas["Release"];
export type ReleaseFile = Schemas["ReleaseFile"];

/** Display name: 1.4.0, or 1.4.0 (Beta) outside the Stable channel. */
export const nameOf = ({ version, channel }: Release): string =>
  channel === "Stable" ? version : `${version} (${channel})`;
