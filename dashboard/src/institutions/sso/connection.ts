import type { Schemas } from "../../api/types";

export type Connection = Schemas["Sso"];

/** Props of each part of a connection that stands. */
export interface ConnectedProps {
  institutionId: string;
  connection: Connection;
}
